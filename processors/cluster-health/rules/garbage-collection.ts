import { sustainedRule } from './sustained-rule.js';
import { percent } from './wording.js';

/** Time in the old generation's collector stops a node's other work. */
export const garbageCollection = sustainedRule({
  name: 'garbage-collection',
  category: 'memory',
  what: 'garbage collection time',
  figure: ({ oldCollectionShare }) => oldCollectionShare,
  levels: [{ atLeast: 0.1, code: 'garbage_collection', points: 5 }],
  reason: (node, lowest, samples) =>
    `${node}: at least ${percent(lowest)} of the time went into collecting the old generation in each of the last ${samples} samples.`,
});
