import assert from 'node:assert/strict';
import { inSnapshot, type InSnapshot } from '../../../../../http-edge/clusters/cursors.js';
import { readList } from '../../../../../http-edge/clusters/read/lists.js';
import type { Store } from '../../../../../http-edge/clusters/read/store.js';

/** Stands in for ClickHouse, which either knows clusters or not, but no longer has their snapshots. */
const storeWithoutSnapshots = (knows: boolean): Store => ({
  query: <Row>(sql: string) =>
    Promise.resolve((knows && sql.startsWith('SELECT 1 AS found') ? [{ found: 1 }] : []) as Row[]),
});

const read = (knows: boolean, after: InSnapshot | undefined) =>
  readList(
    storeWithoutSnapshots(knows),
    { workspace: 'w', uuid: 'u' },
    'nodes',
    { limit: 10, after, cursors: inSnapshot.nodes },
    {},
    1_700_000_000_000,
  );

describe('a list of a cluster without a snapshot', () => {
  it('is empty and says why, if its first page is asked for', async () => {
    const { total, next, unavailable } = (await read(true, undefined)) as Record<string, unknown>;
    assert.deepEqual({ total, next }, { total: 0, next: null });
    assert.match(JSON.stringify(unavailable), /No nodes were collected/);
  });

  it('has no further page: a cursor is refused, not answered with an empty list', async () => {
    await assert.rejects(read(true, { slot: 1_700_000_000_000, offset: 100 }), {
      kind: 'invalid',
      errors: [
        {
          pointer: '/cursor',
          detail: 'The snapshot of `cursor` is no longer kept; start again without `cursor`.',
        },
      ],
    });
  });

  it('does not exist if the cluster is unknown', async () => {
    assert.equal(await read(false, undefined), undefined);
    assert.equal(await read(false, { slot: 1_700_000_000_000, offset: 100 }), undefined);
  });
});
