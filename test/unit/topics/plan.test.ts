import assert from 'node:assert/strict';
import { pipeline } from '../../../cli/pipeline.js';
import { applyTopics, type TopicAdmin } from '../../../topics/apply.js';
import { catalogue } from '../../../topics/catalogue.js';
import {
  describeChange,
  planTopics,
  wantedTopics,
  withPartitions,
  type FoundTopic,
} from '../../../topics/plan.js';
import { scoringRequests } from '../../../topics/scoring.js';

const wanted = wantedTopics(catalogue, [scoringRequests]);

/** The state of a partition on a single broker. */
const alone = { replicas: 1, inSync: 1 };
const once = { replication: 1 };

const asFound = (): Map<string, FoundTopic> =>
  new Map(
    wanted.map(({ name, partitions, config }) => [
      name,
      { partitions, ...alone, config: { ...config, 'index.interval.bytes': '4096' } },
    ]),
  );

/** The minimum time for which a record is kept, whatever comes after it. */
function everyRecordMs(topic: string): number {
  const config = wanted.find(({ name }) => name === topic)?.config ?? {};
  return Number(
    config['cleanup.policy'] === 'delete' ? config['retention.ms'] : (config['min.compaction.lag.ms'] ?? 0),
  );
}

describe('topics plan', () => {
  it('keeps every record that a sink reads for a week at least, compacted topics too', () => {
    const sources = pipeline.filter(({ role }) => role === 'sinks').flatMap(({ reads }) => reads);
    assert.ok(sources.some(({ cleanup }) => cleanup.policy === 'compact'));
    assert.deepEqual(
      sources.map(({ name }) => name).filter((name) => !(everyRecordMs(name) >= 7 * 86_400_000)),
      [],
    );
  });

  it('creates what is missing, dead letters of consumed topics included', () => {
    const changes = planTopics(wanted, new Map(), once);
    assert.equal(changes.length, wanted.length);
    assert.ok(
      changes.some(
        (change) => change.kind === 'create' && change.topic.name === 'scoring.requests.dead-letters',
      ),
    );
  });

  it('changes nothing if everything is as wanted', () => {
    assert.deepEqual(planTopics(wanted, asFound(), once), []);
  });

  it('configures only the settings that differ', () => {
    const found = asFound();
    found.set('scoring.replies', {
      ...alone,
      partitions: 4,
      config: { ...found.get('scoring.replies')?.config, 'retention.ms': '1' },
    });
    assert.deepEqual(planTopics(wanted, found, once), [
      { kind: 'configure', topic: 'scoring.replies', config: { 'retention.ms': '600000' } },
    ]);
  });

  it('accepts other numbers of partitions, and gives cluster memory as many as cluster snapshots', () => {
    const counted = withPartitions(catalogue, { 'ingest.events': 96, 'clusters.snapshots': 24 });
    const countOf = (name: string) => counted.find((topic) => topic.name === name)?.partitions;
    assert.deepEqual(
      ['ingest.events', 'clusters.snapshots', 'clusters.memory', 'ingest.spans'].map(countOf),
      [96, 24, 24, 12],
    );
    assert.throws(() => withPartitions(catalogue, { 'ingest.event': 96 }), /no topic ingest\.event$/);
  });

  it('refuses fewer partitions for cluster memory than cluster snapshots have', () => {
    const counted = (counts: Record<string, number>) => withPartitions(catalogue, counts);
    assert.throws(() => counted({ 'clusters.memory': 3 }), /clusters\.memory needs at least 6 partitions/);
    const memory = counted({ 'clusters.memory': 8 }).find(({ name }) => name === 'clusters.memory');
    assert.equal(memory?.partitions, 8);
  });

  it('leaves extra partitions, and adds missing ones only if it is allowed to', () => {
    const found = asFound();
    const config = found.get('scoring.requests')?.config ?? {};
    found.set('scoring.requests', { ...alone, partitions: 48, config });
    assert.deepEqual(planTopics(wanted, found, once), []);
    found.set('scoring.requests', { ...alone, partitions: 6, config });
    assert.deepEqual(planTopics(wanted, found, { ...once, grow: true }), [
      { kind: 'grow', topic: 'scoring.requests', wanted: 12, found: 6 },
    ]);
  });

  it('refuses fewer partitions, and says why', () => {
    const found = asFound();
    const config = found.get('scoring.requests')?.config ?? {};
    found.set('scoring.requests', { ...alone, partitions: 6, config });
    const [change] = planTopics(wanted, found, once);
    assert.deepEqual(change, { kind: 'refuse', topic: 'scoring.requests', wanted: 12, found: 6 });
    assert.ok(change);
    assert.match(describeChange(change), /6 partitions, but 12 are configured/);
  });

  it('adds replicas, and requires two of three in sync once all are', () => {
    const name = 'scoring.requests';
    const three = { replication: 3 };
    const found = (replicas: number, inSync: number, least: string) =>
      new Map([
        [name, { partitions: 12, replicas, inSync, config: { ...configOf, 'min.insync.replicas': least } }],
      ]);
    const configOf = asFound().get(name)?.config ?? {};
    const ofOne = wanted.filter((topic) => topic.name === name);
    assert.deepEqual(planTopics(ofOne, found(1, 1, '1'), three), [
      { kind: 'replicate', topic: name, wanted: 3, found: 1 },
    ]);
    assert.deepEqual(planTopics(ofOne, found(3, 2, '1'), three), [], 'a copy is under way');
    assert.deepEqual(planTopics(ofOne, found(3, 3, '1'), three), [
      { kind: 'configure', topic: name, config: { 'min.insync.replicas': '2' } },
    ]);
    assert.deepEqual(planTopics(ofOne, found(3, 3, '3'), three), [], 'an operator wants more');
  });

  it('sets nothing that is left to the brokers', () => {
    const left = wantedTopics(catalogue, [], { left: ['segment.ms', 'message.timestamp.type'] });
    const names = new Set(left.flatMap(({ config }) => Object.keys(config)));
    assert.ok(names.has('retention.ms') && !names.has('segment.ms') && !names.has('message.timestamp.type'));
  });

  it('sets the compression of every topic only if one is configured', () => {
    assert.ok(wanted.every(({ config }) => !('compression.type' in config)));
    const compressed = wantedTopics(catalogue, [scoringRequests], { compression: 'zstd' });
    assert.deepEqual(
      planTopics(compressed, asFound(), once),
      wanted.map(({ name: topic }) => ({ kind: 'configure', topic, config: { 'compression.type': 'zstd' } })),
    );
  });

  it("leaves other applications' topics alone", () => {
    const found = asFound().set('somebody.elses', { ...alone, partitions: 1, config: {} });
    assert.deepEqual(planTopics(wanted, found, once), []);
  });

  /** Records the changes to the topics that it finds. */
  function adminOf(
    found: Awaited<ReturnType<TopicAdmin['find']>>,
    did: string[],
    mayReplicate = true,
  ): TopicAdmin {
    return {
      find: () => Promise.resolve(found),
      create: (topics) => {
        did.push(...topics.map(({ name }) => `create ${name}`));
        return Promise.resolve([]);
      },
      replicate: (topics) => {
        if (mayReplicate) did.push(`replicate ${topics.join()}`);
        return Promise.resolve(mayReplicate);
      },
      grow: (topic) => Promise.resolve(void did.push(`grow ${topic}`)),
      configure: (topic) => {
        did.push(`configure ${topic}`);
        return Promise.resolve({});
      },
    };
  }

  it('does what it planned and no more', async () => {
    const did: string[] = [];
    const config = asFound().get('scoring.requests')?.config ?? {};
    const admin = adminOf(asFound().set('scoring.requests', { ...alone, partitions: 6, config }), did);
    const { changes } = await applyTopics(wanted, admin, once);
    assert.deepEqual(did, []);
    assert.equal(changes[0]?.kind, 'refuse');
    await applyTopics(wanted, admin, { ...once, grow: true });
    assert.deepEqual(did, ['grow scoring.requests']);
  });

  it('does the rest if it is not allowed to add replicas, and names the topics that lack them', async () => {
    const did: string[] = [];
    const wantsThree = wanted.filter(({ name }) => name === 'scoring.requests');
    const found = new Map(asFound()).set('scoring.requests', { ...alone, partitions: 12, config: {} });
    const applied = await applyTopics(wantsThree, adminOf(found, did, false), { replication: 3 });
    assert.deepEqual(applied.unreplicated, ['scoring.requests']);
    assert.deepEqual(did, ['configure scoring.requests']);
    assert.deepEqual(
      applied.changes.map(({ kind }) => kind),
      ['configure'],
    );
  });
});
