import { aroundCut } from './cut-line.js';
import { areTexts, fieldsBehind, parsedObject, type Fields } from './line-fields.js';

/**
 * Parses one line. 7.0 to 7.2 wrote the source unescaped and cut it off, so the line is not JSON: the fields
 * before and after the source are still read, and the source is taken unchanged. The same applies if the
 * source nests too deeply, and if the middle of the line is missing: then `tail` is its end.
 */
export function readJsonLine(line: string, tail: string | null): Fields | null {
  if (tail !== null) return aroundCut(line, tail);
  const fields = parsedObject(line);
  return fields !== null && areTexts(fields) ? fields : (aroundBrokenSource(line) ?? fields);
}

function aroundBrokenSource(line: string): Fields | null {
  const label = /"((?:elasticsearch\.slowlog\.)?source)": ?/.exec(line);
  if (label === null) return null;
  const head = parsedObject(`${line.slice(0, label.index)}"-":0}`);
  if (head === null) return null;
  const rest = line.slice(label.index + label[0].length);
  const behind = fieldsBehind(rest);
  return { ...head, ...behind?.fields, [label[1] ?? 'source']: rest.slice(0, behind?.start) };
}
