import type { Row } from '../sink.js';

/** A record as the sink holds it until its range is inserted. */
export type SinkRecord =
  | {
      readonly offset: number;
      readonly kind: 'row';
      /** Its rows, up to their chain. */
      readonly json: readonly string[];
      readonly source: RawRecord;
    }
  | { readonly offset: number; readonly kind: 'dead'; readonly letter: DeadLetterReason };

/** The record's bytes as they came. */
export interface RawRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

export interface DeadLetterReason extends RawRecord {
  readonly code: string;
  readonly reason: string;
}

/** The JSON of a row up to its chain: everything that depends on the record alone. */
export function rowJson(
  row: Row | string,
  at: { readonly topic: string; readonly partition: number; readonly offset: number },
): string {
  // Appended as text: copying a row of eighty columns into another object costs more than writing it out.
  const columns = (typeof row === 'string' ? row : JSON.stringify(row)).slice(0, -1);
  const comma = columns.length > 1 ? ',' : '';
  return `${columns}${comma}"_topic":${JSON.stringify(at.topic)},"_partition":${at.partition},"_offset":${at.offset}`;
}

/** The same for a record of any number of rows, each with its place among them. */
export function rowsJson(
  rows: readonly (Row | string)[],
  at: { readonly topic: string; readonly partition: number; readonly offset: number },
): readonly string[] {
  return rows.map((row, index) => `${rowJson(row, at)},"_index":${index},"_rows":${rows.length}`);
}

/**
 * The rows of a range as newline-delimited JSON, chained: each names the offset of the row before it. Offsets alone
 * prove no gap, as transactions leave holes; a chain does. `run` names the life of the log that the offsets belong to.
 */
export function chainedRows(
  records: readonly SinkRecord[],
  previous: number,
  run: string,
): { readonly ndjson: Buffer; readonly rows: number; readonly last: number } {
  let last = previous;
  let rows = 0;
  let text = '';
  const quoted = JSON.stringify(run);
  for (const record of records) {
    if (record.kind === 'dead' || record.json.length === 0) continue;
    for (const json of record.json) text += `${json},"_run":${quoted},"_previous_offset":${last}}\n`;
    last = record.offset;
    rows += record.json.length;
  }
  return { ndjson: Buffer.from(text), rows, last };
}

/**
 * Finds the records that `accepts` refuses, in as few tries as bisecting takes, at most `most` of them. `complete` is
 * false where there may be more behind the last one found.
 */
export async function findRefused<Item>(
  items: readonly Item[],
  accepts: (part: readonly Item[]) => Promise<boolean>,
  most: number,
): Promise<{ readonly refused: readonly Item[]; readonly complete: boolean }> {
  const refused: Item[] = [];
  const search = async (part: readonly Item[]): Promise<void> => {
    if (part.length === 0 || refused.length >= most || (await accepts(part))) return;
    const [only] = part;
    if (part.length === 1 && only !== undefined) {
      refused.push(only);
      return;
    }
    const middle = part.length >> 1;
    await search(part.slice(0, middle));
    await search(part.slice(middle));
  };
  await search(items);
  return { refused, complete: refused.length < most };
}
