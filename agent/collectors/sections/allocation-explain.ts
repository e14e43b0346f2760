import type { Unavailable } from '../../../schemas/snapshots.js';
import type { CallFailure } from '../call-failure.js';
import { explainUnassigned, explanationsIn, failuresIn, keptMs } from '../explanations.js';
import type { Collection, Section } from '../section.js';

/**
 * Why shards are unassigned: one explanation for each group of the same index, role and reason. It is asked
 * for again after five minutes, or as soon as it is its turn. Unless something is known to be unassigned,
 * nothing is asked.
 */
export const allocationExplainCollector: Section<'allocation_explain'> = {
  name: 'allocation_explain',
  // Due in every cycle, so that a shard that was just lost is explained at once; asked again after five minutes.
  intervalSeconds: () => 60,
  enabled: ({ enabled, allocationExplain }) => enabled && allocationExplain,
  privilege: 'cluster: monitor',
  split: { list: 'explanations', most: () => 100 },
  async collect(collection) {
    const { memory } = collection;
    const groups = await explainUnassigned(collection, memory.unassigned);
    if (!memory.explanationsChanged && !isDue(collection)) return null;
    memory.explanationsChanged = false;
    memory.lastExplained = { at: collection.now(), unassigned: memory.unassigned };
    const explanations = [...explanationsIn(memory)];
    const groupsCut = Math.max(0, groups - explanations.length);
    return {
      body: { unassigned: memory.unassigned, groups_cut: groupsCut, explanations },
      partial: false,
      unavailable: [
        ...(memory.unassigned === null ? [healthUnread] : []),
        ...cutGroups(groupsCut, failuresIn(memory)),
      ],
    };
  },
};

const healthUnread = {
  field: 'unassigned',
  code: 'failed' as const,
  reason: 'the health of the cluster could not be read',
};

function cutGroups(cut: number, failures: readonly CallFailure[]): readonly Unavailable[] {
  const of = (count: number): string => `${count} ${count === 1 ? 'group' : 'groups'} of unassigned shards`;
  const waiting = cut - failures.length;
  const failure = failures.at(-1);
  const field = 'explanations';
  return [
    ...(waiting > 0
      ? [
          {
            field,
            code: 'cut' as const,
            reason: `${of(waiting)} ${waiting === 1 ? 'is' : 'are'} not explained yet`,
          },
        ]
      : []),
    ...(failure === undefined
      ? []
      : [
          {
            field,
            code: 'failed' as const,
            reason: `${of(failures.length)} could not be explained: ${failure.reason}`,
          },
        ]),
  ];
}

/** Timers are not exact: the cycle five minutes later might be slightly early. */
const repeatAfterMs = 0.9 * keptMs;

/** Unchanged explanations are repeated only every five minutes. */
function isDue({ memory: { lastExplained, unassigned }, now }: Collection): boolean {
  return (
    lastExplained === undefined ||
    lastExplained.unassigned !== unassigned ||
    now() - lastExplained.at >= repeatAfterMs
  );
}
