import { inSource, type Rule } from '../view.js';

/** Where JSON was cut off, its last word may be the beginning of any token: it goes unless it is a word or a number. */
export const lastWord: Rule = {
  name: 'last-word',
  find(view) {
    if (!view.cutOff) return [];
    const tail = view.plain.slice(-4_096);
    const word = /[^\s"'`,;(){}[\]<>]*$/.exec(tail)?.[0] ?? '';
    if (word.length < 6 || (harmless.test(word) && !word.startsWith('eyJ'))) return [];
    return [inSource(view, view.plain.length - word.length, view.plain.length)];
  },
};

/** Words (none begins like a web token), names of fields, numbers, dates, times. */
const harmless = /^(?:[A-Z]?[a-z_.]+|[a-z]+(?:[A-Z][a-z]+){0,3}|[\d.,:+TZ-]+)$/;
