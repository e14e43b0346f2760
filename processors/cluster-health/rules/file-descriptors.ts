import { sustainedRule } from './sustained-rule.js';
import { gauge } from './windows.js';
import { atLeast } from './wording.js';

/** A node without file descriptors can lose data. */
export const fileDescriptors = sustainedRule({
  name: 'file-descriptors',
  category: 'other',
  what: 'file descriptors',
  figure: gauge(({ fileDescriptorsShare }) => fileDescriptorsShare),
  levels: [
    { atLeast: 0.95, code: 'file_descriptors', points: 8 },
    { atLeast: 0.85, code: 'file_descriptors', points: 4 },
  ],
  fewest: 1,
  sentence: ({ nodes, isOne, lowest }) =>
    `${capitalised(atLeast(100 * lowest))} of the allowed file descriptors are open on ${isOne ? '' : 'each of '}${nodes}`,
  shown: (lowest) => atLeast(100 * lowest),
});

const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
