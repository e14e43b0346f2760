import { sustainedRule } from './sustained-rule.js';
import { gauge } from './windows.js';
import { atLeast, eachOfLast } from './wording.js';

/** Heap that stays full after collections; a single high sample is the sawtooth of any healthy JVM. */
export const heap = sustainedRule({
  name: 'heap',
  category: 'memory',
  what: 'heap use',
  figure: gauge(({ heapPercent }) => heapPercent),
  levels: [
    { atLeast: 95, code: 'heap_critical', points: 15 },
    { atLeast: 85, code: 'heap_high', points: 8 },
  ],
  sentence: ({ nodes, isOne, lowest, samples }) =>
    `${isOne ? 'The heap' : 'The heaps'} of ${nodes} ${isOne ? 'was' : 'were'} ${atLeast(lowest)} full in ${eachOfLast(samples)}`,
  shown: (lowest) => atLeast(lowest),
});
