import { createHash } from 'node:crypto';
import type { Batch } from '../../agent/spool/sender.js';

/** A model of the server's obligations, without I/O: remembers the last batch of each spool and dataset. */
export class BatchServer {
  readonly stored = new Map<string, object[]>();
  private readonly last = new Map<string, { readonly sequence: number; readonly digest: string }>();

  take(batch: Batch): 'stored' | 'again' | 'conflict' {
    const [spool = '', number = ''] = batch.id.split('/');
    const sequence = Number(number);
    const key = `${spool}/${batch.dataset}`;
    const digest = createHash('sha256').update(batch.body).digest('hex');
    const last = this.last.get(key);
    if (last !== undefined && sequence <= last.sequence)
      return sequence === last.sequence && digest === last.digest ? 'again' : 'conflict';
    this.last.set(key, { sequence, digest });
    const items = this.stored.get(batch.dataset) ?? [];
    items.push(...itemsOf(batch));
    this.stored.set(batch.dataset, items);
    return 'stored';
  }
}

export function itemsOf(batch: Batch): object[] {
  const lines = batch.body.toString().split('\n');
  if (lines.pop() !== '') throw new Error('a batch must end with the end of a line');
  return lines.map((line) => JSON.parse(line) as object);
}
