import type { EmbeddedText, Embedder } from '../../runtime/embedding/embedder.js';
import { labelledRows } from './labelled-data.js';

export type Row = Readonly<Record<string, string | number>>;

/** Every n-th row is read: tests read a sample, because embedding is slow. */
export interface Sampling {
  readonly every: number;
}

export const allRows: Sampling = { every: 1 };

/** The sampled rows of a set, or null if it is not here. */
export function sampledRows(set: string, { every }: Sampling): readonly Row[] | null {
  const rows = labelledRows(set) as readonly Row[] | null;
  return rows?.filter((_, index) => index % every === 0) ?? null;
}

/** The vectors of one column. */
export function embedColumn(
  embedder: Embedder,
  rows: readonly Row[],
  column: string,
): Promise<readonly EmbeddedText[]> {
  return embedder.embed(rows.map((row) => String(row[column])));
}
