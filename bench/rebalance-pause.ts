import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPipeline, type Pipeline } from '../test/support/pipeline.js';
import { role, type Role } from '../test/support/roles.js';
import { stopTheStack } from '../test/support/stack.js';
import { taskClient } from '../test/support/task-client.js';

/** Milliseconds from a task's append to its result's. `longest` is the pause that a rebalance causes. */
interface Pause {
  readonly phase: string;
  readonly tasks: number;
  readonly median: number;
  readonly longest: number;
  /** Tasks that waited for more than a second. */
  readonly late: number;
}

const everyMs = 20;
const quietMs = 5_000;
const sessionMs = 45_000;
const path = '/api/v1/monitoring/metrics/text-metrics/task';

/** How long tasks wait while processors go from one to three, restart one by one, and go back to one. */
async function measureRebalances(named: boolean, say: (line: string) => void): Promise<readonly Pause[]> {
  const name = named ? 'rebalance-named' : 'rebalance';
  const nameOf = (instance: string): Record<string, string> =>
    named ? { KAFKA_GROUP_INSTANCE_ID: instance, KAFKA_SESSION_TIMEOUT_MS: String(sessionMs) } : {};
  const pipeline = await startPipeline(name, { processors: nameOf('first') });
  const more = await Promise.all(['second', 'third'].map((instance) => another(pipeline, instance, nameOf)));
  const client = taskClient(pipeline.edge.url, pipeline.key, 4);
  let over = false;
  const goesOn = (): boolean => !over;
  const load = (async () => {
    const sent: Promise<unknown>[] = [];
    for (let index = 0; goesOn(); index++) {
      sent.push(client.submit(path, { prompt: `Task ${index} is short.` }));
      await sleep(everyMs);
    }
    await Promise.all(sent);
  })();
  const phases: { readonly phase: string; readonly from: number; readonly to: number }[] = [];
  const during = async (phase: string, work: () => Promise<unknown>): Promise<void> => {
    const from = Date.now();
    await work();
    await sleep(quietMs);
    phases.push({ phase, from, to: Date.now() });
    say(`${name}: ${phase} done`);
  };
  const all = [pipeline.processors, ...more];
  await sleep(quietMs);
  await during('nothing', () => sleep(quietMs));
  for (const [index, each] of more.entries())
    await during(`${index + 1} to ${index + 2}`, () => each.start());
  for (const [index, each] of all.entries())
    await during(`restart of process ${index + 1} of 3`, () => each.stop().then(() => each.start()));
  for (const [index, each] of [...more.entries()].reverse())
    await during(`${index + 2} to ${index + 1}`, async () => {
      await each.stop();
      if (named) await sleep(sessionMs);
    });
  over = true;
  await load;
  client.close();
  await pipeline.sinkCaughtUp();
  const pauses: Pause[] = [];
  for (const { phase, from, to } of phases) {
    const [found] = await pipeline.query<Record<'tasks' | 'median' | 'longest' | 'late', string>>(
      `SELECT count() AS tasks, quantile(0.5)(ms) AS median, max(ms) AS longest, countIf(ms > 1000) AS late FROM (
         SELECT dateDiff('millisecond', appended_at, result_appended_at) AS ms FROM telltale.scoring_results
         WHERE workspace = '${name}' AND toUnixTimestamp64Milli(appended_at) BETWEEN ${from} AND ${to})`,
    );
    pauses.push({
      phase,
      tasks: Number(found?.tasks),
      median: Math.round(Number(found?.median)),
      longest: Number(found?.longest),
      late: Number(found?.late),
    });
  }
  await pipeline.stop();
  return pauses;
}

const another = (
  pipeline: Pipeline,
  instance: string,
  nameOf: (instance: string) => Record<string, string>,
): Promise<Role> =>
  role({
    command: 'processors',
    portVariable: 'PROCESSORS_PORT',
    environment: { ...pipeline.environment, ...nameOf(instance) },
    logFile: join(pipeline.folder, `${instance}.log`),
  });

for (const named of [false, true]) {
  const pauses = await measureRebalances(named, (line) => console.log(line));
  console.log(named ? 'with KAFKA_GROUP_INSTANCE_ID' : 'without KAFKA_GROUP_INSTANCE_ID');
  console.table(pauses);
}
await stopTheStack();
