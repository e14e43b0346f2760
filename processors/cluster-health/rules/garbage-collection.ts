import { sustainedRule } from './sustained-rule.js';
import { change } from './windows.js';
import { atLeast, eachOfLast } from './wording.js';

/** Time in the old generation's collector stops a node's other work. */
export const garbageCollection = sustainedRule({
  name: 'garbage-collection',
  category: 'memory',
  what: 'garbage collection time',
  figure: change(({ oldCollectionShare }) => oldCollectionShare),
  levels: [{ atLeast: 0.1, code: 'garbage_collection', points: 5 }],
  sentence: ({ nodes, isOne, lowest, samples }) =>
    `Garbage collection of the old generation took ${atLeast(100 * lowest)} of the time on ${isOne ? '' : 'each of '}${nodes} in ${eachOfLast(samples)}`,
  shown: (lowest) => atLeast(100 * lowest),
});
