import { sustainedRule } from './sustained-rule.js';
import { percent } from './wording.js';

/** A node without file descriptors can lose data. */
export const fileDescriptors = sustainedRule({
  name: 'file-descriptors',
  category: 'other',
  what: 'file descriptors',
  figure: ({ fileDescriptorsShare }) => fileDescriptorsShare,
  levels: [
    { atLeast: 0.95, code: 'file_descriptors', points: 8 },
    { atLeast: 0.85, code: 'file_descriptors', points: 4 },
  ],
  fewest: 1,
  reason: (node, lowest) => `${node}: ${percent(lowest)} of the file descriptors that it may open are open.`,
});
