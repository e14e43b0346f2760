import assert from 'node:assert/strict';
import { join } from 'node:path';
import { BatchStore, ofIdempotencyKeys } from '../../../../http-edge/agent-batches/batch-view.js';
import { openViewStore } from '../../../../runtime/kafka/views/view-store.js';
import { silentLogger } from '../../../../runtime/logging.js';
import type { IngestBatch } from '../../../../schemas/generated/ingest-batch.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const hour = 3_600_000_000;
const now = 1_000_000 * hour;
const nowhere = {} as Parameters<BatchStore['apply']>[1];

const batch = (spool: string, dataset: string, age: number, sequence = 1): IngestBatch => ({
  workspace: 'acme',
  spool,
  dataset,
  sequence,
  digest: '',
  accepted: 1,
  rejected_count: 0,
  rejected: [],
  received_at: now - age * hour,
});

describe('what an edge remembers of batches', () => {
  const folder = temporaryFolder();

  it('lists batches whose Idempotency-Key has expired, and forgets them on request', async () => {
    const view = openViewStore({ folder: join(folder(), 'store'), format: 'a/1', logger: silentLogger });
    const store = new BatchStore(view);
    const put = (key: string, value: IngestBatch | null): Promise<void> =>
      store.apply([{ key, value, offset: 0 }], nowhere);
    const keyOf = (spool: string): string => `acme/${spool}/${ofIdempotencyKeys}`;
    await put(keyOf('old'), batch('old', ofIdempotencyKeys, 51));
    await put(keyOf('young'), batch('young', ofIdempotencyKeys, 47));
    await put('acme/spool/events', batch('spool', 'events', 1_000, 7));
    assert.deepEqual(store.expired(now), [keyOf('old')]);
    await put(keyOf('old'), null);
    assert.deepEqual(store.expired(now), []);
    assert.equal(store.get(keyOf('old')), undefined);
    assert.equal(store.get(keyOf('young'))?.spool, 'young');
    assert.deepEqual(store.expired(now + 4 * hour), [keyOf('young')]);
    assert.equal(store.get('acme/spool/events')?.sequence, 7);
    await view.close();
  });
});
