import { sustainedRule } from './sustained-rule.js';
import { change, gauge, windowLength } from './windows.js';
import { count, eachOfLast } from './wording.js';

/** Merging does not keep up, and the node slows its writers down. */
export const indexingThrottled = sustainedRule({
  name: 'indexing-throttled',
  category: 'other',
  what: 'indexing throttling',
  figure: gauge(({ indexingThrottled: throttled }) => (throttled === null ? null : Number(throttled))),
  levels: [{ atLeast: 1, code: 'indexing_throttled', points: 3 }],
  sentence: ({ nodes, samples }) => `Indexing was throttled on ${nodes} in ${eachOfLast(samples)}`,
});

export const indexingFailures = sustainedRule({
  name: 'indexing-failures',
  category: 'other',
  what: 'indexing failures',
  figure: change(({ indexingFailures: failures }) => failures),
  levels: [{ atLeast: 1, code: 'indexing_failures', points: 3 }],
  fewest: windowLength,
  sentence: ({ nodes, isOne, lowest, samples }) =>
    `At least ${count(Math.floor(lowest), 'document')} could not be indexed on ${isOne ? '' : 'each of '}${nodes} in ${eachOfLast(samples)}`,
  shown: (lowest) => `at least ${Math.floor(lowest)}`,
});
