import assert from 'node:assert/strict';
import { snapshotsDataset } from '../../../../http-edge/agent-batches/snapshots-dataset.js';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import { snapshotId } from '../../../../schemas/snapshots.js';
import { jsonCodec } from '../../../support/json-codec.js';

const takenAt = 1_795_244_914_524;
const receivedAt = takenAt * 1_000 + 250_000;
const item = {
  cluster_uuid: 'yxJ7JPe1R36RdP91p5U7EQ',
  section: 'health',
  slot: 1_795_244_880_000,
  interval_seconds: 60,
  collection: 'c1',
  taken_at: takenAt,
  took_ms: 12,
  part: 1,
  parts: 1,
  body: { status: 'yellow', no_master: false },
};
const dataset = snapshotsDataset(jsonCodec<ClusterSnapshot>());
const context = { workspace: 'acme', keyId: 'k1', receivedAt };

describe('snapshots of agents', () => {
  it('become one record each, keyed by the cluster, with the same id from any agent', () => {
    const parsed = dataset.parse(item, receivedAt);
    assert.ok('item' in parsed);
    const [record] = [...dataset.records(parsed.item, context)];
    assert.equal(record?.key, item.cluster_uuid);
    const value = JSON.parse(record.value?.toString() ?? '') as ClusterSnapshot;
    assert.equal(value.id, snapshotId({ ...item, section: 'health' }));
    assert.equal(value.workspace, 'acme');
    assert.equal(value.received_at, takenAt + 250);
    assert.equal((JSON.parse(value.body) as { status: string }).status, 'yellow');
  });

  it('have no lone surrogates in their bodies, which would stop the sink', () => {
    const body = { ...item.body, master_node: 'n\ud800' };
    const parsed = dataset.parse({ ...item, body }, receivedAt);
    assert.ok('item' in parsed);
    const [record] = [...dataset.records(parsed.item, context)];
    const value = JSON.parse(record?.value?.toString() ?? '') as ClusterSnapshot;
    assert.doesNotMatch(value.body, /\\ud/);
    assert.equal((JSON.parse(value.body) as { master_node: string }).master_node, 'n\ufffd');
  });

  it('are refused from a clock that runs ahead, with a hint to set it', () => {
    const parsed = dataset.parse(item, receivedAt - 3_600_000_000);
    assert.match('reason' in parsed ? parsed.reason : '', /^taken_at: .*Set the clock/);
  });

  it('are refused if they are older than what any table keeps', () => {
    const parsed = dataset.parse(item, receivedAt + 401 * 86_400_000_000);
    assert.match('reason' in parsed ? parsed.reason : '', /^taken_at: .*400 days/);
  });

  it('are refused with the field that is wrong', () => {
    const parsed = dataset.parse({ ...item, cluster_uuid: '_na_' }, receivedAt);
    assert.match('reason' in parsed ? parsed.reason : '', /cluster_uuid/);
  });
});
