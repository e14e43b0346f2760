import type { Unavailable } from '../../../schemas/snapshots.js';
import { explainUnassigned, keptMs } from '../explanations.js';
import type { Collection, Section } from '../section.js';

/**
 * Why shards are unassigned: one explanation for each group of the same index, role and reason, kept for five minutes.
 * With nothing unassigned, as far as is known, nothing is asked.
 */
export const allocationExplainCollector: Section<'allocation_explain'> = {
  name: 'allocation_explain',
  // Looked at in every cycle, so that a shard that was just lost is explained at once; asked anew after five minutes.
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
    const explanations = [...memory.explanations.values()];
    const groupsCut = Math.max(0, groups - explanations.length);
    return {
      body: { unassigned: memory.unassigned, groups_cut: groupsCut, explanations },
      partial: false,
      unavailable: [...(memory.unassigned === null ? [healthUnread] : []), ...cutGroups(groupsCut)],
    };
  },
};

const healthUnread = {
  field: 'unassigned',
  code: 'failed' as const,
  reason: 'the health of the cluster could not be read',
};

function cutGroups(cut: number): readonly Unavailable[] {
  if (cut === 0) return [];
  const reason = `${cut} groups of unassigned shards are not explained yet`;
  return [{ field: 'explanations', code: 'cut', reason }];
}

/** What is the same as it was is said again every five minutes only. */
function isDue({ memory: { lastExplained, unassigned }, now }: Collection): boolean {
  return (
    lastExplained === undefined ||
    lastExplained.unassigned !== unassigned ||
    now() - lastExplained.at >= keptMs
  );
}
