import { sustainedRule } from './sustained-rule.js';
import { gauge, windowLength } from './windows.js';
import { atLeast, eachOfLast } from './wording.js';

export const cpu = sustainedRule({
  name: 'cpu',
  category: 'other',
  what: 'host CPU',
  figure: gauge(({ cpuPercent }) => cpuPercent),
  levels: [{ atLeast: 90, code: 'cpu_high', points: 5 }],
  fewest: windowLength,
  sentence: ({ nodes, isOne, lowest, samples }) =>
    `The ${isOne ? 'CPU of the host' : 'CPUs of the hosts'} of ${nodes} ${isOne ? 'was' : 'were'} ${atLeast(lowest)} busy in ${eachOfLast(samples)}`,
  shown: (lowest) => atLeast(lowest),
});
