import { sustainedRule } from './sustained-rule.js';
import { windowLength } from './windows.js';

/** Merging can't keep up, and the node slows its writers down. */
export const indexingThrottled = sustainedRule({
  name: 'indexing-throttled',
  category: 'other',
  what: 'indexing throttling',
  figure: ({ indexingThrottled: throttled }) => (throttled === null ? null : Number(throttled)),
  levels: [{ atLeast: 1, code: 'indexing_throttled', points: 3 }],
  reason: (node, _, samples) =>
    `${node}: indexing was throttled in each of the last ${samples} samples, as merging can not keep up.`,
});

export const indexingFailures = sustainedRule({
  name: 'indexing-failures',
  category: 'other',
  what: 'indexing failures',
  figure: ({ indexingFailures: failures }) => failures,
  levels: [{ atLeast: 1, code: 'indexing_failures', points: 3 }],
  fewest: windowLength,
  reason: (node, lowest, samples) =>
    `${node}: at least ${lowest} documents could not be indexed in each of the last ${samples} samples.`,
});
