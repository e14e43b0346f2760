import { idempotentIds } from '../../http-edge/scoring/idempotency.js';
import { findScoring } from './find-scoring.js';
import { hopOf, isoOf, type Found, type Hop } from './found.js';
import { lastOfEach, lookForSpool } from './find-batch.js';
import type { FindSources, Question } from './sources.js';

/** Finds the task or events that a workspace sent under an Idempotency-Key, today or the day before. */
export async function findKey(
  id: string,
  workspace: string,
  question: Question,
  sources: FindSources,
): Promise<Found> {
  const { taskId, previousTaskId } = idempotentIds(workspace, id, Date.now());
  const own = { ...question, workspace };
  const ids = [...new Set([taskId, previousTaskId])];
  const [tasks, events] = await Promise.all([
    Promise.all(ids.map((one) => findScoring(one, own, sources))),
    Promise.all(ids.map((one) => lookForSpool(one, own, sources))),
  ]);
  const task = tasks.find(({ outcome }) => outcome !== 'not seen');
  if (task !== undefined)
    return { ...task, id, kind: 'idempotency key', detail: `It is task ${task.id}. ${task.detail}` };
  const hops = events.flatMap(({ seen }) =>
    lastOfEach(seen).map(({ topic, partition, record, value }): Hop =>
      hopOf('events appended', {
        ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
        detail: value === undefined ? null : `${value.accepted} events`,
      }),
    ),
  );
  const complete = [...tasks, ...events].every((one) => one.complete);
  const of = { id, kind: 'idempotency key', complete, hops } as const;
  if (hops.length > 0)
    return {
      ...of,
      ...{ outcome: 'taken', not_seen_since: null },
      detail: 'The edge accepted events under this key; the rows of events do not contain the key.',
    };
  const oldest = events.flatMap((one) => (one.oldest === null ? [] : [one.oldest]));
  return {
    ...of,
    outcome: 'not seen',
    detail: `Workspace ${workspace} has sent neither a task nor events under this Idempotency-Key within two days.`,
    not_seen_since: oldest.length === 0 ? null : isoOf(Math.min(...oldest)),
  };
}
