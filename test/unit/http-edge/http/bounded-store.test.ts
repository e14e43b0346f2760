import assert from 'node:assert/strict';
import { askedBy } from '../../../../http-edge/http/asker.js';
import { boundedStore } from '../../../../http-edge/http/bounded-store.js';
import type { Store } from '../../../../http-edge/clusters/read/store.js';
import type { QueryLimits } from '../../../../runtime/clickhouse/client.js';
import { ClientGone } from '../../../../runtime/http/failures.js';
import type { Problem } from '../../../../runtime/http/problem.js';

interface Reading {
  readonly sql: string;
  readonly signal: AbortSignal | undefined;
  end(): void;
}

describe('a bounded store', () => {
  let reading: Reading[];
  let store: Store;
  beforeEach(() => {
    reading = [];
    const slow: Store = {
      query: <Row>(sql: string, _: unknown, limits?: QueryLimits) =>
        new Promise<readonly Row[]>((resolve, reject) => {
          const signal = limits?.signal;
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          reading.push({ sql, signal, end: () => resolve([]) });
        }),
    };
    store = boundedStore(slow, 'http://store');
  });

  const gone = (): AbortController => new AbortController();
  const read = (workspace: string, sql: string, { signal } = gone()): Promise<unknown> =>
    new Promise((resolve, reject) => {
      askedBy({ workspace, gone: signal }, () => void store.query(sql).then(resolve, reject));
    });
  const flooded = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () => read('noisy', 'slow'));
  const nextTurn = (): Promise<void> => new Promise(setImmediate);
  async function endAll(): Promise<void> {
    for (let next = reading.shift(); next !== undefined; next = reading.shift()) {
      next.end();
      await nextTurn();
    }
  }

  it('reads for a workspace at once, however many slow reads another one sends', async () => {
    const flood = flooded(100);
    const quick = read('quiet', 'quick');
    await nextTurn();
    assert.ok(reading.length <= 10, String(reading.length));
    assert.equal(reading.at(-1)?.sql, 'quick');
    await endAll();
    await Promise.all([quick, ...flood]);
  });

  it('refuses the reads of a workspace that has many waiting, and of no other', async () => {
    const flood = Promise.allSettled(flooded(700));
    const quick = read('quiet', 'quick');
    await nextTurn();
    await endAll();
    await quick;
    const refused = (await flood).flatMap((one) =>
      one.status === 'rejected' ? [one.reason as Problem] : [],
    );
    assert.ok(refused.length > 100 && refused.length < 250, String(refused.length));
    assert.deepEqual(
      [...new Set(refused.map(({ kind, headers }) => [kind, ...headers].join()))],
      ['overloaded,retry-after,1'],
    );
  });

  it('ends running and waiting reads whose client has gone', async () => {
    const flood = flooded(100);
    const leaving = gone();
    const left = [read('noisy', 'waits', leaving), read('quiet', 'reads', leaving)];
    await nextTurn();
    leaving.abort(new ClientGone());
    for (const one of left) await assert.rejects(one, ClientGone);
    assert.deepEqual(
      reading.filter(({ signal }) => signal?.aborted === true).map(({ sql }) => sql),
      ['reads'],
    );
    await endAll();
    await Promise.all(flood);
  });
});
