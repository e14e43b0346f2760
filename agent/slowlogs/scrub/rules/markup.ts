import { credentialName } from '../credential-keys.js';
import { inSource, type Rule } from '../view.js';

/** `<password>…</password>` and `name="password" value="…"`, in whatever order the attributes stand. */
const element = /<([A-Za-z][\w:.-]{1,80})(?:\s[^<>]{0,200})?>([^<]{1,4096})(?=<|$)/g;
const attributes =
  /(?:name|key|id|type)\s?=\s?["']([\w.:-]{1,100})["']([^<>]{0,100}?)\svalue\s?=\s?["']([^"'<>]{1,4096})/gi;

export const markup: Rule = {
  name: 'markup',
  find: (view) => [
    ...[...view.plain.matchAll(element)].flatMap(({ 0: whole, 1: name = '', 2: text = '', index }) => {
      if (credentialName(name) !== 'strong' || text.trim() === '') return [];
      const end = index + whole.length;
      return [inSource(view, end - text.length, end)];
    }),
    ...[...view.plain.matchAll(attributes)].flatMap(({ 0: whole, 1: name = '', 3: text = '', index }) => {
      const end = index + whole.length;
      return credentialName(name) === 'strong' ? [inSource(view, end - text.length, end)] : [];
    }),
  ],
};
