import { hash } from 'node:crypto';
import type { AgentDataset, BatchContext } from './dataset.js';
import { readItems, type ReadItems } from './read-items.js';

/** A batch's items, and the digest that distinguishes it from another batch with the same id. */
export interface ReadBatch extends ReadItems {
  /** SHA-256 of the body, in hexadecimal. */
  readonly digest: string;
}

export async function readBatch(
  body: Buffer,
  dataset: AgentDataset,
  context: BatchContext,
): Promise<ReadBatch> {
  const { records, recordBytes, accepted, rejectedCount, rejected } = await readItems(body, dataset, context);
  return { records, recordBytes, accepted, rejectedCount, rejected, digest: hash('sha256', body, 'hex') };
}
