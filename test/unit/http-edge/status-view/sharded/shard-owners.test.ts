import assert from 'node:assert/strict';
import { ShardOwners } from '../../../../../http-edge/status-view/sharded/shard-owners.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';

const ownUrl = 'http://10.0.0.1:8079';

describe('an edge that did not answer', () => {
  const url = 'http://10.0.0.7:8079';
  const owners = (): ShardOwners => {
    const client = { send: () => assert.fail('nobody is asked'), stop: () => undefined };
    return new ShardOwners({ ownUrl, client, logger: silentLogger, metrics: createMetrics() });
  };

  it('counts as silent until it answers', () => {
    const known = owners();
    assert.equal(known.isSilent(url), false);
    known.notReached(url, new Error('refused'));
    assert.equal(known.isSilent(url), true);
    known.reached(url);
    assert.equal(known.isSilent(url), false);
  });

  for (const [reason, status] of [
    ['Kafka does not answer it', 503],
    ['it does not keep the partition', 409],
  ] as const)
    it(`is not silent once it says that ${reason}`, async () => {
      const client = {
        send: () => Promise.resolve({ status, body: Buffer.alloc(0) }),
        stop: () => undefined,
      };
      const known = new ShardOwners({ ownUrl, client, logger: silentLogger, metrics: createMetrics() });
      known.know([{ url, partitions: [0] }], []);
      known.notReached(url, new Error('refused'));
      await assert.rejects(known.ask(0, { taskId: 'a', workspace: 'acme' }), { code: 'TASK_STATUS_AWAY' });
      assert.equal(known.isSilent(url), false);
    });

  it('counts as silent for seconds, whatever the wall clock does meanwhile', () => {
    const wallClock = Date.now;
    try {
      Date.now = () => wallClock() - 3_600_000;
      const known = owners();
      known.notReached(url, new Error('refused'));
      Date.now = () => wallClock();
      assert.equal(known.isSilent(url), true);
    } finally {
      Date.now = wallClock;
    }
  });
});

describe('edges that have copies of a partition', () => {
  const [one, other] = ['http://10.0.0.7:8079', 'http://10.0.0.8:8079'];
  const question = { taskId: 'a', workspace: 'acme' };
  const partitions = [0, 1, 2, 3];
  let asked: string[];
  let dead: string | undefined;
  const owners = (): ShardOwners => {
    const send = (url: string) => {
      asked.push(url);
      if (url === dead) return Promise.reject(new Error('refused'));
      return Promise.resolve({ status: 200, body: Buffer.from(url) });
    };
    return new ShardOwners({
      ...{ ownUrl, client: { send, stop: () => undefined } },
      ...{ logger: silentLogger, metrics: createMetrics() },
    });
  };
  beforeEach(() => {
    asked = [];
    dead = undefined;
  });

  it('are asked one after another, the primary first', async () => {
    const known = owners();
    known.know(
      [one, other].map((url) => ({ url, partitions })),
      [],
    );
    const first = new Set<string | undefined>();
    for (const id of partitions) {
      asked = [];
      await known.ask(id, question);
      first.add(asked[0]);
      await known.askPrimary(id, question);
      assert.deepEqual(asked, [asked[0], asked[0]]);
    }
    assert.deepEqual(first, new Set([one, other]), 'each is the primary of some');
    dead = one;
    for (const id of partitions) assert.equal(String(await known.ask(id, question)), other);
    for (const id of partitions)
      assert.ok(['undefined', other].includes(String(await known.askPrimary(id, question))));
  });

  it('keep results only of the partitions they are primary for, or of all until they know the others', () => {
    const known = owners();
    assert.ok(known.keepsResults(0));
    known.know([{ url: one, partitions }], partitions);
    assert.equal(partitions.filter((id) => known.keepsResults(id)).length, 2);
    known.know([], partitions);
    assert.ok(partitions.every((id) => known.keepsResults(id)));
    known.know([{ url: one, partitions }], []);
    assert.ok(
      partitions.every((id) => known.keepsResults(id)),
      'a former owner keeps what comes until it is replaced',
    );
  });

  it('are not asked if the asking edge is itself the primary', async () => {
    const known = owners();
    known.know([], partitions);
    assert.equal(await known.askPrimary(0, question), undefined);
    assert.deepEqual(asked, []);
  });
});
