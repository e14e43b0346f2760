import type { Batch } from '../spool/sender.js';
import type { Arrival } from './answer.js';
import type { QuarantinedItem } from './quarantine.js';

/** Items that are to be quarantined, and why. */
export interface Refusal {
  readonly reason: string;
  readonly items: readonly QuarantinedItem[];
  /** How many of them were refused. */
  readonly refused: number;
}

export function itemsOf({ body }: Batch): readonly QuarantinedItem[] {
  const lines = body.toString().split('\n').slice(0, -1);
  return lines.map((line, index) => ({ index, line }));
}

/** The items that a server rejected from a batch that it accepted. */
export function rejectedOf(batch: Batch, { rejected, reasons }: Arrival): readonly Refusal[] {
  if (rejected === 0) return [];
  const items = itemsOf(batch);
  const refusals = reasons.map(({ index, detail }): Refusal => {
    const listed = items.slice(index, index + 1);
    return { reason: detail, items: listed, refused: listed.length };
  });
  if (rejected <= reasons.length) return refusals;
  // The server does not name the other items: it is better to keep too many than to lose one.
  const listed = new Set(reasons.map(({ index }) => index));
  const others = items.filter(({ index }) => !listed.has(index));
  const refused = rejected - reasons.length;
  const reason = `${refused} of these ${others.length} items were rejected; ${reasons[0] === undefined ? 'no reason was given' : `one reason: ${reasons[0].detail}`}`;
  return [...refusals, { reason, items: others, refused }];
}
