import { looksRandom } from '../randomness.js';
import { inSource, type Rule } from '../view.js';

/** Where a text was cut, its last word may be the beginning of any token: it goes where it looks random. */
export const lastWord: Rule = {
  name: 'last-word',
  find(view) {
    if (!view.cutOff) return [];
    const tail = view.plain.slice(-4_096);
    const word = /[^\s"'`,;(){}[\]<>]*$/.exec(tail)?.[0] ?? '';
    if (!looksRandom(word, 8)) return [];
    return [inSource(view, view.plain.length - word.length, view.plain.length)];
  },
};
