import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** An agent as the edge sees it: it sends batches of one spool, in order. */
export class BatchSender {
  private readonly spool = randomUUID();
  private readonly sequences = new Map<string, number>();

  constructor(
    private readonly edgeUrl: string,
    private readonly key: string,
  ) {}

  async send(dataset: string, items: readonly object[]): Promise<void> {
    await this.post(dataset, this.next(dataset), items);
  }

  /** Resends the same batch until it is accepted, as an agent does. */
  async sendUntilTaken(dataset: string, items: readonly object[]): Promise<void> {
    const sequence = this.next(dataset);
    for (;;) {
      try {
        await this.post(dataset, sequence, items);
        return;
      } catch {
        await sleep(100);
      }
    }
  }

  private next(dataset: string): number {
    const sequence = (this.sequences.get(dataset) ?? 0) + 1;
    this.sequences.set(dataset, sequence);
    return sequence;
  }

  private async post(dataset: string, sequence: number, items: readonly object[]): Promise<void> {
    const answer = await fetch(`${this.edgeUrl}/api/v1/agent/${dataset}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
        'batch-id': `${this.spool}/${sequence}`,
      },
      body: gzipSync(items.map((item) => JSON.stringify(item)).join('\n')),
    });
    const text = await answer.text();
    const { accepted } = answer.ok ? (JSON.parse(text) as { accepted: number }) : { accepted: 0 };
    if (accepted !== items.length) throw new Error(`${dataset}: ${answer.status} ${text}`);
  }
}
