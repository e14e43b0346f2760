import { codePointOffsets } from './code-points.js';
import type { PiiSpan } from './entities.js';

/**
 * The spans in the form of the API: a JSON array whose objects have type, start, end and score, all as strings, with
 * the spacing of the reference. Offsets count Unicode code points; a score is written as the reference prints a float.
 */
export function asPiiResult(text: string, spans: readonly PiiSpan[]): string {
  const offset = codePointOffsets(text);
  const objects = spans.map(
    ({ type, start, end, score }) =>
      `{"type": "${type}", "start": "${offset(start)}", "end": "${offset(end)}", "score": "${asFloat(score)}"}`,
  );
  return `[${objects.join(', ')}]`;
}

/** `1.0`, for which JavaScript prints `1`. A score has at most two decimals. */
function asFloat(score: number): string {
  return Number.isInteger(score) ? score.toFixed(1) : String(score);
}
