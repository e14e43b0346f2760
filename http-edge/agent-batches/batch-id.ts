import { Problem } from '../../runtime/http/problem.js';

/** `Batch-Id: <spool uuid>/<sequence>`. */
export interface BatchId {
  readonly spool: string;
  /** Starts at 0 or 1 and increases by one per batch of the same dataset. */
  readonly sequence: number;
}

const form = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/(\d{1,15})$/i;

export function batchIdOf(header: string | readonly string[] | undefined): BatchId {
  const found = typeof header === 'string' ? form.exec(header) : null;
  if (found === null)
    throw new Problem(
      'malformed-request',
      '`Batch-Id` must be `<spool uuid>/<sequence>`, the sequence a whole number.',
    );
  return { spool: (found[1] ?? '').toLowerCase(), sequence: Number(found[2]) };
}

/**
 * The key under which a spool's last batch is stored. Edges also use it to decide which of them appends a
 * batch. Its last two parts have a fixed form.
 */
export function batchKey(workspace: string, spool: string, dataset: string): string {
  return `${workspace}/${spool}/${dataset}`;
}
