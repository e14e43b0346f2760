import type { Judge } from './named-leaves.js';

/** What names ids of documents or routings; a script may take the first as a field of its own, `doc._id.value`. */
const names: ReadonlySet<string> = new Set(['_id', '_routing', 'routing', 'doc._id', 'doc._id.value']);

/** Such a name may stand among the parameters of a script: it is none of their ids. */
export const namesIds = (text: string): boolean => names.has(text);

const hash = 35;
const beginsWord = /\w/;

/** Of a field that joins, the ids of parents stand in one more, named after it and their relation: `my_join#question`. */
export const saysIds: Judge<'ids'> = (text, from, to) => (isOfIds(text, from, to) ? 'ids' : null);

function isOfIds(text: string, from: number, to: number): boolean {
  const name = text.slice(from, to);
  if (names.has(name)) return true;
  const mark = name.indexOf('#');
  if (mark !== -1) return mark > 0 && mark < name.length - 1;
  return text.charCodeAt(to) === hash && beginsWord.test(text.charAt(to + 1)); // of a script, words are asked for
}
