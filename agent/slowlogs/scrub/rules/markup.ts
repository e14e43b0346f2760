import { credentialName } from '../credential-keys.js';
import { inSource, type Rule } from '../view.js';

/** `<password>…</password>`, or as far as it was logged, and `name="password" value="…"` in whatever order. */
const element = /<([A-Za-z][\w:.-]{1,80})(?:\s[^<>]{0,200})?>([^<]{1,4096})(?:(?=<\/)|$)/g;
const attributes =
  /(?:name|key|id|type)\s?=\s?["']([\w.:-]{1,100})["']([^<>]{0,100}?)\svalue\s?=\s?["']([^"'<>]{1,4096})/gi;

export const markup: Rule = {
  name: 'markup',
  find: (view) => [
    ...[...view.plain.matchAll(element)].flatMap(({ 0: whole, 1: name = '', 2: text = '', index }) => {
      if (credentialName(name) !== 'strong' || text.trim() === '') return [];
      const end = index + whole.length;
      // `<token>` stands for a token in prose.
      if (end === view.plain.length && !view.cutOff && /\s/.test(text)) return [];
      return [inSource(view, end - text.length, end)];
    }),
    ...[...view.plain.matchAll(attributes)].flatMap(({ 0: whole, 1: name = '', 3: text = '', index }) => {
      const end = index + whole.length;
      return credentialName(name) === 'strong' ? [inSource(view, end - text.length, end)] : [];
    }),
  ],
};
