import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseSnapshot, type SectionName } from '../../../../schemas/snapshots.js';
import {
  bodyOf,
  captureNames,
  capturedCluster,
  collectAll,
  collectedOf,
  haveCaptures,
  itemsCollected,
  readCapture,
  type CollectedSections,
} from '../../../support/cluster-captures.js';
import { runs } from '../../../support/properties.js';

type Row = Readonly<Record<string, string | null>>;

const versions = ['7.17.15', '8.14.1', '9.4.3'];
const whole = versions.flatMap((version) =>
  ['', '-3node-green', '-3node-one-killed'].map((of) => version + of),
);

/** Another API's answers, of the same cluster at the same time: the parsers must find the same figures. */
const rows = (capture: ReadonlyMap<string, unknown>, file: string): readonly Row[] =>
  (capture.get(file) ?? []) as readonly Row[];
const sum = (values: readonly (string | number | null | undefined)[]): number =>
  values.reduce<number>((total, value) => total + Number(value ?? 0), 0);

describe('the captured answers of a real cluster', function () {
  before(function () {
    if (!haveCaptures()) this.skip();
  });

  for (const name of whole) {
    describe(name, () => {
      let capture: ReadonlyMap<string, unknown>;
      let outcomes: CollectedSections;

      before(async () => {
        capture = readCapture(name);
        outcomes = await collectAll(capturedCluster(capture));
      });

      it('is read by every section that the version has', () => {
        for (const [section, outcome] of outcomes) {
          if (section === 'data_streams') assert.ok(!outcome.ok && outcome.failure.kind === 'missing');
          else assert.ok(outcome.ok, section);
        }
      });

      it('gives items that the edge takes as they are', () => {
        for (const item of itemsCollected(outcomes, () => 2)) {
          const parsed = parseSnapshot(JSON.parse(JSON.stringify(item)));
          assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
          assert.deepEqual(parsed.snapshot, item);
        }
      });

      it('has the same health, shards and unassigned primaries in three APIs', () => {
        const health = bodyOf(outcomes, 'health');
        const shards = bodyOf(outcomes, 'shards');
        const listed = rows(capture, 'cat_shards.json');
        const [line] = rows(capture, 'cat_health.json');
        assert.equal(health.status, line?.status);
        assert.equal(health.active_shards, Number(line?.shards));
        assert.equal(shards.shards_total, listed.length);
        assert.equal(shards.unassigned, health.unassigned_shards);
        const lost = listed.filter(({ state, prirep }) => state === 'UNASSIGNED' && prirep === 'p');
        assert.equal(shards.unassigned_primaries, lost.length);
        assert.equal(health.unassigned_primaries, lost.length);
        assert.equal(health.master_node, rows(capture, 'cat_master.json')[0]?.node);
      });

      it('has the same nodes as _cat/nodes', () => {
        const nodes = bodyOf(outcomes, 'nodes');
        const listed = rows(capture, 'cat_nodes.json');
        assert.equal(nodes.nodes_total, listed.length);
        for (const row of listed) {
          const node = nodes.nodes.find(({ node_id }) => node_id === row.id);
          assert.ok(node, 'a node is missing');
          assert.equal(node.name, row.name);
          assert.equal(node.is_master, row.master === '*');
          assert.equal(node.max_file_descriptors, Number(row['file_desc.max']));
          // The table shows gigabytes with one decimal.
          assert.ok(
            Math.abs((node.fs_total_bytes ?? 0) / 2 ** 30 - Number.parseFloat(row['disk.total'] ?? '')) < 0.1,
          );
          assert.equal(node.operations.segments_count === null, false);
          assert.match(node.incarnation ?? '', new RegExp(`^${node.node_id}:\\d{13}$`));
        }
      });

      it('has the same thread pools as _cat/thread_pool, with their limits in the topology', () => {
        const nodes = bodyOf(outcomes, 'nodes').nodes;
        const topology = bodyOf(outcomes, 'topology').nodes;
        for (const row of rows(capture, 'cat_thread_pool.json')) {
          const node = nodes.find(({ node_id }) => node_id === row.node_id);
          const pool = node?.thread_pools.find((candidate) => candidate.pool === row.name);
          assert.ok((pool?.completed ?? -1) <= Number(row.completed), `${row.name} counts less than before`);
          assert.equal(pool?.rejected, Number(row.rejected));
          const limits = topology
            .find(({ node_id }) => node_id === row.node_id)
            ?.thread_pools.find((candidate) => candidate.pool === row.name);
          assert.equal(limits?.queue_size, row.queue_size === '-1' ? null : Number(row.queue_size));
          assert.equal(limits.max_threads, Number(row.max ?? row.size));
        }
      });

      it('has the same indices and documents as _cat/indices, with operations for the open ones', () => {
        const { indices, indices_total } = bodyOf(outcomes, 'indices');
        const listed = rows(capture, 'cat_indices.json');
        assert.equal(indices_total, listed.length);
        assert.equal(
          sum(indices.map((index) => index.docs_count)),
          sum(listed.map((row) => row['docs.count'])),
        );
        assert.equal(
          sum(indices.map((index) => index.store_bytes)),
          sum(listed.map((row) => row['store.size'])),
        );
        const stats = bodyOf(outcomes, 'cluster_stats');
        // `copy` is being filled during the calls.
        const still = indices.filter(({ index }) => index !== 'copy');
        assert.equal(stats.docs_count, sum(still.map((index) => index.primary?.docs_count)));
        for (const index of still.filter(({ state, health }) => state === 'open' && health !== 'red')) {
          assert.equal(index.primary?.docs_count, index.docs_count, index.index);
          assert.match(index.incarnation ?? '', /^[0-9a-f]{32}$/);
        }
      });

      it('has a measured segment memory on 7.x only, and a reason for its absence elsewhere', () => {
        const { body, unavailable } = collectedOf(outcomes, 'nodes');
        const measured = body.nodes.every((node) => node.operations.segments_memory_bytes !== null);
        assert.equal(measured, name.startsWith('7.'));
        const reason = unavailable.find(({ field }) => field.endsWith('operations.segments_memory_bytes'));
        assert.equal(reason?.code, measured ? undefined : 'always_zero');
        for (const node of body.nodes) assert.notEqual(node.operations.segments_index_writer_bytes, null);
      });

      it('has recoveries as _cat/recovery lists them', () => {
        const { recoveries } = bodyOf(outcomes, 'recovery');
        for (const row of rows(capture, 'cat_recovery.json')) {
          const found = recoveries.find(
            (recovery) =>
              recovery.index === row.index &&
              recovery.shard === Number(row.shard) &&
              recovery.target_node === row.target_node,
          );
          assert.ok(found, `a recovery of ${row.index} is missing`);
          assert.equal(found.stage?.toLowerCase(), row.stage);
          assert.equal(found.bytes_total, Number(row.bytes_total));
          assert.equal(found.bytes_recovered, Number(row.bytes_recovered));
          assert.equal(found.files_total, Number(row.files_total));
        }
      });

      it('has a reason for every field that is null everywhere', () => {
        const { body, unavailable } = collectedOf(outcomes, 'nodes');
        const said = new Set(unavailable.map(({ field }) => field));
        for (const [field, value] of Object.entries(body.nodes[0]?.operations ?? {})) {
          assert.equal(value === null, said.has(`nodes.*.operations.${field}`), field);
        }
      });
    });
  }

  for (const version of versions) {
    it(`${version}: watermarks are those that were set, and their default headrooms are gone with that`, async () => {
      const body = bodyOf(await collectAll(capturedCluster(readCapture(version))), 'watermarks');
      assert.deepEqual(
        [body.low, body.high, body.flood_stage].map(({ used_ratio, source }) => [used_ratio, source]),
        [0.95, 0.97, 0.98].map((ratio) => [ratio, 'persistent']),
      );
      assert.equal(body.low_max_headroom_bytes, null);
      const untouched = bodyOf(
        await collectAll(capturedCluster(readCapture(`${version}-3node-green`))),
        'watermarks',
      );
      assert.deepEqual(
        [untouched.low.used_ratio, untouched.low_max_headroom_bytes],
        [0.85, version.startsWith('7.') ? null : 200 * 2 ** 30],
      );
      assert.equal(untouched.threshold_enabled, false);
    });

    it(`${version}: unassigned shards are explained, each with what to do`, async () => {
      const { explanations } = bodyOf(
        await collectAll(capturedCluster(readCapture(version))),
        'allocation_explain',
      );
      assert.deepEqual(
        explanations.map(({ index, primary, recommendation_code }) => [index, primary, recommendation_code]),
        [
          ['red', true, 'filter'],
          ['yellow', false, 'too_few_nodes'],
        ],
      );
      const killed = await collectAll(capturedCluster(readCapture(`${version}-3node-one-killed`)));
      assert.equal(bodyOf(killed, 'allocation_explain').explanations[0]?.recommendation_code, 'copy_lost');
    });

    it(`${version}: a throttled reindex is a long-running task, named by its indices alone`, async () => {
      const { tasks } = bodyOf(await collectAll(capturedCluster(readCapture(version))), 'tasks');
      assert.deepEqual(
        tasks.map(({ kind, from_indices, to_index, total, created }) => [
          kind,
          from_indices,
          to_index,
          total,
          created,
        ]),
        [['reindex', ['orders'], 'copy', 2_000, 100]],
      );
    });

    it(`${version}: without a quorum, health says that there is no master and measures nothing`, async () => {
      const outcomes = await collectAll(capturedCluster(readCapture(`${version}-3node-no-quorum`)));
      const { body, partial, unavailable } = collectedOf(outcomes, 'health');
      assert.equal(body.no_master, true);
      assert.equal(partial, true);
      assert.deepEqual(
        Object.entries(body).filter(([, value]) => value !== null),
        [
          ['affected_indices', []],
          ['no_master', true],
        ],
      );
      assert.equal(unavailable[0]?.field, '*');
    });
  }

  it('leads only to calls of the allow list, and never reads the cluster state', async () => {
    for (const name of whole) {
      const cluster = capturedCluster(readCapture(name));
      await collectAll(cluster);
      for (const call of cluster.calls) assert.doesNotMatch(call, /_cluster\/state|_reroute|_cancel/);
    }
  });

  it('is told apart from OpenSearch, which is not watched', async () => {
    assert.ok(captureNames().includes('opensearch-2.19.6'));
    await assert.rejects(collectAll(capturedCluster(readCapture('opensearch-2.19.6'))), /it is opensearch/);
  });

  it('can lack any of its fields: no parser throws, and no missing field becomes a zero', async () => {
    const capture = readCapture('8.14.1');
    const base = await collectAll(capturedCluster(capture));
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.double({ min: 0.02, max: 0.9, noNaN: true }), async (seed, share) => {
        const outcomes = await collectAll(capturedCluster(capture, without(seed, share))).catch(
          () => undefined,
        );
        if (outcomes === undefined) return; // the identity itself was removed
        for (const [section, outcome] of outcomes) {
          if (outcome.ok) assertNoNewZeros(section, outcome.collected?.body, base);
          else
            assert.ok(
              ['missing', 'broken', 'no_master'].includes(outcome.failure.kind),
              outcome.failure.reason,
            );
        }
      }),
      { numRuns: runs(15) },
    );
  });
});

/** Removes a random share of all keys, at every depth. */
function without(seed: number, share: number): (body: unknown) => unknown {
  let state = seed | 0 || 1;
  const random = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => (random() < share ? [] : [[key, strip(inner)]])),
    );
  };
  return strip;
}

/** Figures that are 0 now must have been 0 in the complete answer, except counts of lists, which are ours. */
function assertNoNewZeros(section: SectionName, body: unknown, base: CollectedSections): void {
  if (section !== 'nodes' && section !== 'health' && section !== 'cluster_stats') return;
  const whole = section === 'nodes' ? bodyOf(base, section).nodes[0] : bodyOf(base, section);
  const now = section === 'nodes' ? (body as { nodes: readonly object[] }).nodes[0] : body;
  const before = { ...whole, ...(section === 'nodes' ? bodyOf(base, 'nodes').nodes[0]?.operations : {}) };
  const after = { ...(now as object), ...((now as { operations?: object } | undefined)?.operations ?? {}) };
  for (const [field, value] of Object.entries(after)) {
    // A count of 0 is right if the answer has no index.
    if (value === 0 && !field.startsWith('indices_'))
      assert.equal((before as Record<string, unknown>)[field], 0, `${section}.${field}`);
  }
}
