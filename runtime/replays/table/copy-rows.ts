import { insertSettings, type ClickHouse } from '../../clickhouse/client.js';
import type { Sink } from '../../sink.js';
import type { Piece } from './table-progress.js';

interface Progress {
  /** Counts this many more rows as copied; resolves once more may be. */
  readonly did: (rows: number) => Promise<void>;
  /** Remembers that the piece is copied up to this offset. */
  readonly note: (offset: number) => Promise<void>;
}

/**
 * Chunks between notes. ClickHouse remembers 50,000 blocks' tokens; a chunk of events has a block per month.
 */
const chunksPerNote = 1_000;

/** Offsets per chunk: few enough that it is one block, which fits into memory and has one token. */
const offsetsOfChunk = { one: 20_000, several: 500 } as const;

/**
 * Copies the rows of these offsets, without `to`, from the table into its shadow, in chunks that their tokens
 * identify: a chunk that a killed predecessor started is stored once. Chunks are bounded by offsets alone, so
 * they stay the same when rows expire. The offset that is noted is the end of a chunk. No more rows may be
 * added at these offsets.
 */
export async function copyRows(
  clickhouse: Pick<ClickHouse, 'query' | 'command'>,
  { table, rowsPerRecord, into }: Pick<Sink, 'table' | 'rowsPerRecord'> & { readonly into: string },
  { partition, run, from, to }: Piece,
  { did, note }: Progress,
): Promise<void> {
  const size = offsetsOfChunk[rowsPerRecord];
  const where = 'WHERE _partition = {partition:UInt16} AND _run = {run:String}';
  let chunks = 0;
  for (let reached = from; reached < to;) {
    const [next] = await clickhouse.query<{ offset: string | null }>(
      `SELECT minOrNull(_offset) AS offset FROM ${table} ${where}
       AND _offset >= {reached:UInt64} AND _offset < {to:UInt64}`,
      { partition, run, reached, to },
    );
    if (next === undefined || next.offset === null) return;
    const chunk = Math.floor(Number(next.offset) / size);
    const first = Math.max(from, chunk * size);
    const end = Math.min(to, (chunk + 1) * size);
    const [found] = await clickhouse.query<{ rows: string }>(
      `SELECT count() AS rows FROM ${table} ${where} AND _offset >= {first:UInt64} AND _offset < {end:UInt64}`,
      { partition, run, first, end },
    );
    await clickhouse.command(
      `INSERT INTO ${into} SELECT * FROM ${table}
       WHERE _partition = ${partition} AND _run = '${run}' AND _offset >= ${first} AND _offset < ${end}
       ORDER BY _offset
       SETTINGS ${settingsOf(`copy:${run}:${partition}:${first}-${end}`)}`,
    );
    await did(Number(found?.rows));
    reached = end;
    if (++chunks % chunksPerNote === 0) await note(reached);
  }
}

/**
 * Each block that is read is part of the token, and each part of the table is a block of its own: merged
 * parts would give a different token. Rows sorted in memory are one block, whatever parts they come from.
 */
const oneBlock = {
  max_threads: 1,
  max_bytes_before_external_sort: 0,
  max_bytes_ratio_before_external_sort: 0,
};

function settingsOf(token: string): string {
  return Object.entries({ ...insertSettings(token), ...oneBlock })
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${String(value)}'`}`)
    .join(', ');
}
