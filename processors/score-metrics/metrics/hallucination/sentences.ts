/** Never the last word of a sentence. */
const titles = new Set(
  'dr mr mrs ms mx prof st gen col capt lt sgt rev hon messrs vs cf approx e.g i.e eg ie viz'.split(' '),
);
/** Not the last word of a sentence if a number follows. */
const beforeNumbers = new Set(
  'no nos fig figs vol ch sec art eq p pp jan feb mar apr jun jul aug sep sept oct nov dec'.split(' '),
);

const lineBreak = /\r\n|[\n\r\u0085\u2028\u2029]/u;
/** A heading, a quotation or a list item starts a new sentence, however the line before ended. */
const lineMark = /^\s*(?:[-*+•–]|#{1,6}|>|\d{1,3}[.)])\s+/u;
const stops = /[\p{Sentence_Terminal}…]+/gu;
const closers = /[\p{Pe}\p{Pf}\p{Pi}"'*_`]*/uy;
/** Scripts that put no space after a full stop. */
const needsNoSpace = /[。！？｡]/u;
const content = /[\p{L}\p{N}]/u;

/**
 * The sentences of a text, trimmed, in order; time is linear in the text's length. A text that is not blank has at
 * least one. Rules, not a model: the same on every machine, for any script.
 */
export function sentencesOf(text: string): readonly string[] {
  // In a text without capitals, a small letter after a full stop says nothing.
  const cased = /\p{Lu}/u.test(text);
  const sentences = blocksOf(text)
    .flatMap((block) => splitBlock(block, cased))
    .filter((sentence) => content.test(sentence));
  if (sentences.length > 0) return sentences;
  const whole = text.trim();
  return whole === '' ? [] : [whole];
}

/** Splits at blank lines and marked lines; joins broken lines. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[][] = [[]];
  for (const line of text.split(lineBreak)) {
    const bare = line.replace(lineMark, '');
    if (bare.length < line.length || line.trim() === '') blocks.push([]);
    blocks.at(-1)?.push(bare.trim());
  }
  return blocks.map((lines) => lines.join(' '));
}

function splitBlock(block: string, cased: boolean): readonly string[] {
  const sentences: string[] = [];
  let begin = 0;
  for (const stop of block.matchAll(stops)) {
    closers.lastIndex = stop.index + stop[0].length;
    closers.exec(block);
    const end = closers.lastIndex;
    if (!endsSentence(block, stop.index, stop[0], end, cased)) continue;
    sentences.push(block.slice(begin, end).trim());
    begin = end;
  }
  return [...sentences, block.slice(begin).trim()];
}

function endsSentence(block: string, at: number, stop: string, end: number, cased: boolean): boolean {
  if (needsNoSpace.test(stop) || end === block.length) return true;
  if (!/\s/u.test(block.charAt(end))) return false;
  const next = /\S/u.exec(block.slice(end, end + 8))?.[0] ?? '';
  const closed = end > at + stop.length;
  // "Really?" he asked. Or: approx. five; wait ... what.
  if (cased && /\p{Ll}/u.test(next) && (closed || /^[.…]+$/u.test(stop))) return false;
  return stop !== '.' || !isAbbreviation(block, at, next);
}

function isAbbreviation(block: string, at: number, next: string): boolean {
  const word = /[\p{L}.]{1,12}$/u.exec(block.slice(Math.max(0, at - 12), at))?.[0].toLowerCase() ?? '';
  if (titles.has(word)) return true;
  if (beforeNumbers.has(word) && /\p{N}/u.test(next)) return true;
  // An initial (J. Doe, U.S. law); "I" ends sentences.
  return /(?:^|[^\p{L}\p{N}])(?!I)\p{Lu}$/u.test(block.slice(Math.max(0, at - 3), at));
}
