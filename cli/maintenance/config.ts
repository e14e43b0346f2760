import { validateDetailed } from 'node-cron';
import { z } from 'zod';

const taskNames = ['audit', 'doctor', 'keys'] as const;
export type TaskName = (typeof taskNames)[number];

/** The schedule of each task, as a cron expression in UTC; a task that is not named does not run. */
export type Schedule = ReadonlyMap<TaskName, string>;

const isTask = (name: string): name is TaskName => (taskNames as readonly string[]).includes(name);

function scheduleOf(text: string, refuse: (problem: string) => void): Schedule {
  const schedule = new Map<TaskName, string>();
  for (const entry of text.split(';').map((part) => part.trim())) {
    if (entry === '') continue;
    const [name = '', expression = ''] = entry.split('=').map((part) => part.trim());
    if (!isTask(name)) refuse(`'${name}' is not a task; the tasks are ${taskNames.join(', ')}`);
    else if (schedule.has(name)) refuse(`${name} is given twice`);
    else if (expression !== '') {
      const [error] = validateDetailed(expression).errors;
      if (error === undefined) schedule.set(name, expression);
      else refuse(`${name}: '${expression}' is not a cron expression: ${error.message}`);
    }
  }
  return schedule;
}

export const maintenanceConfig = z.object({
  MAINTENANCE_SCHEDULE: z
    .string()
    .default('')
    .transform((text, context) =>
      scheduleOf(text, (message) => context.addIssue({ code: 'custom', message, input: text })),
    )
    .describe(
      'Tasks that run on a schedule (cron, UTC), as in `audit=30 3 * * *; doctor=*/15 * * * *; keys=0 7 * * *`. A task that is not named, or has no time, does not run. Give all processes of the sinks the same schedule: one of them runs a task each time.',
    ),
});
