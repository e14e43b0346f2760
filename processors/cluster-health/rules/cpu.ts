import { sustainedRule } from './sustained-rule.js';
import { windowLength } from './windows.js';

export const cpu = sustainedRule({
  name: 'cpu',
  category: 'other',
  what: 'host CPU',
  figure: ({ cpuPercent }) => cpuPercent,
  levels: [{ atLeast: 90, code: 'cpu_high', points: 5 }],
  fewest: windowLength,
  reason: (node, lowest, samples) =>
    `${node}: the host's CPU was at least ${Math.floor(lowest)}% busy in each of the last ${samples} samples.`,
});
