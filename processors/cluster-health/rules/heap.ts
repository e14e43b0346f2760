import { sustainedRule } from './sustained-rule.js';

/** Heap that stays full after collections; a single high sample is the sawtooth of any healthy JVM. */
export const heap = sustainedRule({
  name: 'heap',
  category: 'memory',
  what: 'heap use',
  figure: ({ heapPercent }) => heapPercent,
  levels: [
    { atLeast: 95, code: 'heap_critical', points: 15 },
    { atLeast: 85, code: 'heap_high', points: 8 },
  ],
  reason: (node, lowest, samples) =>
    `${node}: the heap was at least ${Math.floor(lowest)}% full in each of the last ${samples} samples.`,
});
