import { opaque } from './identifiers.js';
import { namesIds, saysIds } from './id-names.js';
import { inJson } from './id-readings.js';
import { idsAsKeys } from './ids-as-keys.js';
import { idsInClauses } from './ids-in-clauses.js';
import { idsInTexts } from './ids-in-texts.js';
import { leavesNamed } from './named-leaves.js';
import { inOrder, merged, replaced } from './replacements.js';
import { marker } from './span.js';
import { UnicodeMarks } from './unicode-marks.js';
import { viewOf } from './view.js';

const mayName = /routing|_id|ids?\\*"|#/;

/**
 * A search with the ids of documents and the routings that it looks for as they may leave the host: as its own id does
 * (identifiers.ts). Pure, and linear in its length.
 */
export function withoutIds(text: string, digestKey: string): string {
  const marks = new UnicodeMarks(text);
  const source = marks.text;
  if (!mayName.test(source)) return text;
  const view = viewOf(source);
  const leaves = leavesNamed(
    view,
    (start, end) => end > start,
    saysIds,
    () => true,
  );
  const values = [...leaves, ...idsInClauses(view), ...idsAsKeys(view)].map((span) => inJson(source, span));
  const hidden = inOrder([...values, ...idsInTexts(view)]).flatMap(({ id, ...span }) => {
    const shown = opaque(id, digestKey);
    if (shown === id || namesIds(id) || /^hmac-[0-9a-f]{24}$/.test(id) || id.includes(marker)) return [];
    return [{ ...span, replacement: (span.replacement ?? marker).replace(marker, shown) }];
  });
  return replaced(text, marks.inSource(merged(hidden))).text;
}
