import assert from 'node:assert/strict';
import {
  SearchCallError,
  type SearchAnswer,
  type ShardToExplain,
} from '../../../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../../../agent/collectors/cluster-memory.js';
import { explanationsIn } from '../../../../agent/collectors/explanations.js';
import { allocationExplainCollector } from '../../../../agent/collectors/sections/allocation-explain.js';
import { shardsCollector } from '../../../../agent/collectors/sections/shards.js';
import { parseSnapshot } from '../../../../schemas/snapshots.js';
import {
  mostExplanations,
  type AllocationExplainSection,
  type ShardsSection,
} from '../../../../schemas/snapshots/shard-section.js';
import { answered, collectFrom } from '../../../support/stub-collection.js';

const minuteMs = 60_000;
const timedOut = () => {
  throw new SearchCallError('POST /_cluster/allocation/explain', 'timeout', 'no whole answer');
};

/** A cluster in which this many indices lack a replica. Its time stands still until a test advances it. */
class Degraded {
  readonly memory = newClusterMemory();
  /** The times at which an explanation of each index was requested. */
  readonly asked = new Map<string, number[]>();
  /** Answers for an index instead of an explanation. */
  readonly instead = new Map<string, () => SearchAnswer>();
  detail = '';
  now = 1e12;

  constructor(readonly groups: number) {
    this.memory.unassigned = groups;
  }

  /** The indices requested by the last collection of a section. */
  last: string[] = [];

  private readonly explain = (shard: ShardToExplain | undefined): SearchAnswer => {
    const index = shard?.index ?? '';
    this.last.push(index);
    this.asked.set(index, [...(this.asked.get(index) ?? []), this.now]);
    const said = { ...shard, current_state: 'unassigned', can_allocate: 'no' };
    return this.instead.get(index)?.() ?? answered(200, { ...said, allocate_explanation: this.detail });
  };

  async list(): Promise<ShardsSection> {
    const row = { s: '0', p: 'r', st: 'UNASSIGNED', ur: 'NODE_LEFT' };
    const rows = Array.from({ length: this.groups }, (_, group) => ({ ...row, i: `i${group}` }));
    const outcome = await this.collect(shardsCollector, () => answered(200, rows));
    assert.ok(outcome.ok && outcome.collected !== null);
    return outcome.collected.body as ShardsSection;
  }

  /** The kind of failure, the sent body, or null if nothing is sent. */
  async cycle() {
    const outcome = await this.collect(allocationExplainCollector, () => answered(500, {}));
    if (!outcome.ok) return outcome.failure.kind;
    if (outcome.collected === null) return null;
    const { body, unavailable } = outcome.collected;
    return { ...(body as AllocationExplainSection), unavailable };
  }

  private collect(section: Parameters<typeof collectFrom>[0], answer: () => SearchAnswer) {
    this.last = [];
    const { memory } = this;
    return collectFrom(section, answer, { memory, explain: this.explain, now: () => this.now });
  }

  /** Runs minutes, with a listing every five; returns the number of explanations last sent, per minute. */
  async pass(minutes: number): Promise<readonly number[]> {
    const sent: number[] = [];
    for (let minute = 0; minute < minutes; minute += 1) {
      if (minute % 5 === 0) await this.list();
      const told = await this.cycle();
      sent.push(typeof told === 'object' && told !== null ? told.explanations.length : (sent.at(-1) ?? 0));
      this.now += minuteMs + (minute % 7);
    }
    return sent;
  }

  /** The longest time between two requests about one index, in minutes. */
  longestRest(): number {
    const rests = [...this.asked.values()].flatMap((times) =>
      times.slice(1).map((time, index) => time - (times[index] ?? 0)),
    );
    return Math.round(Math.max(...rests) / minuteMs);
  }
}

describe('groups of unassigned shards', () => {
  it('are all explained, and stay so, even if they are too many to be asked about in five minutes', async () => {
    const cluster = new Degraded(150);
    const sent = await cluster.pass(60);
    assert.equal(cluster.asked.size, 150);
    assert.ok(
      sent.slice(20).every((count) => count === 150),
      sent.join(),
    );
    assert.ok(cluster.longestRest() <= 15, String(cluster.longestRest()));
  });

  it('are asked about every five minutes if they are few', async () => {
    const cluster = new Degraded(30);
    await cluster.pass(60);
    assert.ok(cluster.longestRest() <= 6, String(cluster.longestRest()));
    assert.ok([...cluster.asked.values()].every((times) => times.length <= 13));
  });

  it('are reported whenever their explanations change, and every five minutes', async () => {
    const cluster = new Degraded(150);
    await cluster.pass(30);
    const told = async (minutes: number): Promise<number> => {
      let count = 0;
      for (let minute = 0; minute < minutes; minute += 1) {
        cluster.now += minuteMs;
        if ((await cluster.cycle()) !== null) count += 1;
      }
      return count;
    };
    assert.equal(await told(20), 4);
    cluster.detail = 'the disk is full';
    assert.equal(await told(10), 10);
  });

  it('have no explanation that is older than half an hour, however many they are', async () => {
    const cluster = new Degraded(1_000);
    const sent = await cluster.pass(120);
    assert.equal(cluster.asked.size, 1_000);
    assert.ok((sent.at(-1) ?? 0) >= 300 && (sent.at(-1) ?? 0) <= 400, String(sent.at(-1)));
    const told = await cluster.cycle();
    assert.ok(typeof told === 'object' && told !== null);
    const oldest = Math.min(...told.explanations.map(({ explained_at: at }) => at ?? 0));
    assert.ok(cluster.now - oldest <= 30 * minuteMs, String((cluster.now - oldest) / minuteMs));
    assert.equal(told.groups_cut, 1_000 - told.explanations.length);
  });

  it('lose their explanations after five minutes if the cluster is too busy to be asked', async () => {
    const cluster = new Degraded(3);
    await cluster.list();
    assert.equal((await cluster.list()).explanations.length, 3);
    cluster.now += 5 * minuteMs;
    for (const index of ['i0', 'i1', 'i2']) cluster.instead.set(index, () => answered(429, {}));
    assert.equal(await cluster.cycle(), 'busy');
    assert.equal((await cluster.list()).explanations.length, 0);
  });

  it('are asked about even if the cluster fails to explain others, which are skipped for five minutes', async () => {
    const cluster = new Degraded(20);
    for (const index of ['i0', 'i4']) cluster.instead.set(index, () => answered(500, {}));
    await cluster.list();
    cluster.now += minuteMs;
    const told = await cluster.cycle();
    assert.ok(typeof told === 'object' && told !== null);
    assert.equal(told.explanations.length, 18);
    assert.equal(told.groups_cut, 2);
    assert.deepEqual(told.unavailable, [
      {
        field: 'explanations',
        code: 'failed',
        reason:
          '2 groups of unassigned shards could not be explained: the cluster answered 500 (no reason given)',
      },
    ]);
    await cluster.pass(30);
    const times = cluster.asked.get('i0') ?? [];
    assert.ok(times.length >= 5 && times.length <= 7, String(times.length));
    cluster.instead.clear();
    assert.equal((await cluster.pass(7)).at(-1), 20);
  });

  it('are asked about three at a time while none can be explained, which fails the section', async () => {
    const cluster = new Degraded(8);
    for (let group = 0; group < 8; group += 1)
      cluster.instead.set(`i${group}`, () => answered(502, 'Bad Gateway'));
    await cluster.list();
    const goes: string[][] = [cluster.last];
    for (let cycle = 0; cycle < 3; cycle += 1) {
      cluster.now += minuteMs;
      assert.equal(await cluster.cycle(), 'broken');
      goes.push(cluster.last);
    }
    assert.deepEqual(
      goes.map(({ length }) => length),
      [3, 3, 2, 0],
    );
    assert.equal(new Set(goes.flat()).size, 8);
    cluster.instead.clear();
    assert.equal((await cluster.pass(7)).at(-1), 8);
  });

  it('are not held up by a group whose explanation times out', async () => {
    const cluster = new Degraded(4);
    cluster.instead.set('i1', timedOut);
    await cluster.list();
    assert.deepEqual(cluster.last, ['i0', 'i1']);
    cluster.now += 2 * minuteMs;
    const told = await cluster.cycle();
    assert.deepEqual(cluster.last, ['i2', 'i3']);
    assert.ok(typeof told === 'object' && told !== null);
    assert.equal(told.explanations.length, 3);
    assert.match(told.unavailable[0]?.reason ?? '', /^1 group .* no whole answer$/);
    cluster.now += 3 * minuteMs;
    assert.equal(await cluster.cycle(), 'busy');
  });

  it('are not asked about any further once the cluster is too busy, or forbids it', async () => {
    for (const [status, type, kind] of [
      [429, 'circuit_breaking_exception', 'busy'],
      [403, 'security_exception', 'forbidden'],
    ] as const) {
      const cluster = new Degraded(5);
      cluster.instead.set('i2', () => answered(status, { error: { type }, status }));
      await cluster.list();
      assert.equal(cluster.last.length, 3);
      assert.equal(await cluster.cycle(), kind);
      assert.deepEqual(cluster.last, ['i2']);
      cluster.instead.clear();
      await cluster.cycle();
      assert.deepEqual(cluster.last, ['i2', 'i3', 'i4']);
    }
  });
});

describe('a listing of shards', () => {
  it('comes with the latest explanations if all of them are too long for it', async () => {
    const cluster = new Degraded(150);
    cluster.detail = 'x'.repeat(2_000);
    await cluster.pass(21);
    cluster.now += 1;
    const { explanations } = await cluster.list();
    assert.ok(explanations.length < 150);
    assert.ok(cluster.last.length > 0);
    const listed = new Set(explanations.map(({ index }) => index));
    assert.ok(cluster.last.every((index) => listed.has(index)));
  });

  it('is accepted by the edge however many groups are explained: it has the latest explanations', async () => {
    const cluster = new Degraded(400);
    await cluster.pass(30);
    cluster.now += 1;
    const body = await cluster.list();
    assert.ok(explanationsIn(cluster.memory).length > mostExplanations);
    const cluster_uuid = 'u1';
    const collection = { section: 'shards', collection: 'c1', part: 1, parts: 1, took_ms: 1 };
    const time = { slot: 0, interval_seconds: 300, taken_at: cluster.now };
    const parsed = parseSnapshot({ cluster_uuid, ...collection, ...time, body });
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
    const listed = new Set(body.explanations.map(({ index }) => index));
    assert.equal(listed.size, mostExplanations);
    assert.ok(cluster.last.length > 0 && cluster.last.every((index) => listed.has(index)));
  });
});
