import assert from 'node:assert/strict';
import { readCluster } from '../../../../../http-edge/clusters/read/overview.js';
import { isStale, standingOf } from '../../../../../http-edge/clusters/read/staleness.js';
import type { Store } from '../../../../../http-edge/clusters/read/store.js';

const now = 1_795_244_700_000;
const minute = 60_000;

interface Said {
  readonly section: string;
  readonly age: number;
  readonly reporter?: string;
  readonly details?: object;
  readonly status?: string;
}

interface Wanted {
  readonly sections: readonly string[];
  readonly slots: readonly number[];
}
const isWanted = (row: { section: string; slot_ms: number }, { sections, slots }: Wanted): boolean =>
  sections.some((section, at) => section === row.section && slots[at] === row.slot_ms);

/** Stands in for ClickHouse with rows of the overview, some minutes old, and nothing else. */
function storeWith(said: readonly Said[]): Store {
  const rows = said.map(({ age, details = {}, reporter = 'host-one', ...rest }) => ({
    ...rest,
    reporter,
    slot_ms: now - age * minute,
    interval_seconds: 60,
    details: JSON.stringify(details),
  }));
  const newest = (key: 'section' | 'reporter', of: typeof rows) => [
    ...new Map(
      of.toSorted((one, other) => one.slot_ms - other.slot_ms).map((row) => [row[key], row]),
    ).values(),
  ];
  return {
    query: <Row>(sql: string, parameters: Readonly<Record<string, unknown>> = {}) => {
      const answer = sql.includes('GROUP BY section')
        ? newest('section', rows)
        : sql.includes('GROUP BY reporter')
          ? newest(
              'reporter',
              rows.filter(({ section }) => section === 'capabilities'),
            ).toSorted((one, other) => other.slot_ms - one.slot_ms)
          : sql.includes('LIMIT 1 BY section')
            ? rows.filter((row) => isWanted(row, parameters as unknown as Wanted))
            : [];
      return Promise.resolve(answer as Row[]);
    },
  };
}

interface Read {
  readonly sections: readonly { readonly section: string; readonly late: boolean; readonly state: string }[];
  readonly health: { readonly as_of: string; readonly stale: boolean; readonly status: string | null } | null;
  readonly notes: readonly string[];
}

async function read(...said: readonly Said[]): Promise<Read> {
  return (await readCluster(storeWith(said), { workspace: 'w', uuid: 'u' }, now)) as Read;
}

async function lateOf(...said: readonly Said[]): Promise<Record<string, boolean>> {
  const { sections } = await read(...said);
  return Object.fromEntries(sections.map(({ section, late }) => [section, late]));
}

describe('the sections of a cluster', () => {
  it('are late once intervals have passed without them', async () => {
    assert.deepEqual(await lateOf({ section: 'health', age: 3 }, { section: 'nodes', age: 5 }), {
      health: false,
      nodes: true,
    });
  });

  it('are not late for having nothing new to say', async () => {
    const late = (explain: number, capabilities: number) =>
      lateOf({ section: 'allocation_explain', age: explain }, { section: 'capabilities', age: capabilities });
    assert.deepEqual(await late(8, 17), { allocation_explain: false, capabilities: false });
    assert.deepEqual(await late(11, 21), { allocation_explain: true, capabilities: true });
  });

  it('are not late if they are switched off', async () => {
    const sections = [{ section: 'tasks', state: 'off', reason: null, privilege: null }];
    const late = await lateOf({ section: 'capabilities', age: 1, details: { sections } });
    assert.deepEqual(late, { capabilities: false, tasks: false });
  });

  it("have the state reported by the agent that collects them, not by one that can't reach the cluster", async () => {
    const sections = (state: string) => ['health', 'tasks'].map((section) => ({ section, state }));
    const answer = await read(
      { section: 'health', age: 1 },
      { section: 'capabilities', age: 3, details: { sections: sections('ok') } },
      { section: 'capabilities', age: 1, reporter: 'host-two', details: { sections: sections('failing') } },
    );
    assert.deepEqual(
      answer.sections.filter(({ section }) => section !== 'capabilities').map(({ state }) => state),
      ['ok', 'ok'],
    );
  });

  it('have the state reported by their collecting agent, even if another reported in the same minute', async () => {
    const sections = (state: string) => [{ section: 'health', state }];
    const { sections: views } = await read(
      { section: 'health', age: 1, reporter: 'host-two' },
      { section: 'capabilities', age: 1, details: { sections: sections('failing') } },
      { section: 'capabilities', age: 1, reporter: 'host-two', details: { sections: sections('ok') } },
    );
    assert.equal(views.find(({ section }) => section === 'health')?.state, 'ok');
  });

  it('have the state reported by the agent that collects the health, even if another agent reported last and none collects them', async () => {
    const sections = (state: string) => [{ section: 'tasks', state }];
    const { sections: views } = await read(
      { section: 'health', age: 1 },
      { section: 'tasks', age: 40, reporter: 'host-gone' },
      { section: 'capabilities', age: 3, details: { sections: sections('forbidden') } },
      { section: 'capabilities', age: 1, reporter: 'host-two', details: { sections: sections('failing') } },
    );
    assert.equal(views.find(({ section }) => section === 'tasks')?.state, 'forbidden');
  });

  it("come with the agents' notes on the connection", async () => {
    const notes = ['tls.ca could not be read'];
    assert.deepEqual((await read({ section: 'capabilities', age: 1, details: { notes } })).notes, notes);
  });
});

describe('what is known of a cluster', () => {
  it('has its date, and no status any more once it is stale', async () => {
    const fresh = await read({ section: 'health', age: 2, status: 'green' });
    assert.equal(fresh.health?.status, 'green');
    assert.equal(fresh.health.stale, false);
    const old = await read({ section: 'health', age: 3 * 24 * 60, status: 'green' });
    assert.equal(old.health?.status, null);
    assert.equal(old.health.stale, true);
    assert.equal(old.health.as_of, new Date(now - 3 * 24 * 60 * minute).toISOString());
  });

  it('is valid for three intervals after its own, and longer for sections that are repeated less often', () => {
    const stale = (section: string, seconds: number): boolean => isStale(section, 0, 300, seconds * 1_000);
    assert.deepEqual([stale('indices', 1_200), stale('indices', 1_201)], [false, true]);
    assert.deepEqual([stale('allocation_explain', 1_500), stale('allocation_explain', 1_501)], [false, true]);
  });

  it('has a score with its deductions for three intervals, and after that the reason for having none', () => {
    const deduction = { code: 'node_left', points: 10, reason: '1 node left the cluster.' };
    const health = (age: number, but: object = {}) => ({
      at: new Date(now - age * minute).toISOString(),
      status: 'green',
      score: 100,
      floored: false,
      deductions: [deduction],
      not_measured: [],
      ...but,
    });
    const { score, status, stale, reason, deductions } = standingOf(health(2), now);
    assert.deepEqual(deductions, [deduction]);
    assert.deepEqual([score, status, stale, reason], [100, 'green', false, null]);
    assert.equal(standingOf(health(4), now).stale, false);
    assert.equal(standingOf(health(4.01), now).stale, true);
    const old = standingOf(health(10), now);
    assert.deepEqual([old.score, old.status, old.stale, old.deductions], [null, null, true, []]);
    assert.match(
      old.reason ?? '',
      /^No score, as nothing was heard of the cluster since \S+:00Z\. Its agent .* Start the agent .*\.$/,
    );
    const away = health(2, {
      score: null,
      status: null,
      not_measured: [{ what: 'score', reason: 'not collected: ECONNREFUSED' }],
    });
    assert.deepEqual(standingOf(away, now), {
      status: null,
      score: null,
      scored_at: away.at,
      stale: false,
      reason: 'not collected: ECONNREFUSED',
      deductions: [deduction],
    });
    assert.equal(standingOf({ ...away, at: health(4).at }, now).stale, false);
    const dead = standingOf({ ...away, at: health(5).at }, now);
    assert.equal(dead.stale, true);
    assert.match(
      dead.reason ?? '',
      /^No score, as nothing was heard .* Before that: not collected: ECONNREFUSED$/,
    );
    assert.match(standingOf(undefined, now).reason ?? '', /last 7 days/);
  });
});

describe('the traffic of a cluster', () => {
  /** Stands in for ClickHouse with one snapshot of nodes, of which `cut` are left out. */
  const traffic = async (cut: number) => {
    const store: Store = {
      query: <Row>(sql: string) => {
        const slot = { slot_ms: now - minute };
        const snapshot = { ...slot, last_taken_at: '2026-11-21 10:00:00', is_partial: false, reasons: {} };
        const counts = { item_count: 200, count_all: 200 + cut, count_cut: cut, seconds: 60 };
        const answer = sql.includes('sum_queries_per_second')
          ? [{ sum_queries_per_second: 2_000, missing_queries_per_second: 0 }]
          : sql.includes('HAVING uniqExact(part)')
            ? [{ ...snapshot, ...counts }]
            : sql.includes('count() AS rows')
              ? [{ ...slot, rows: 200 }]
              : sql.includes('GROUP BY section')
                ? [{ ...slot, section: 'nodes' }]
                : sql.includes('LIMIT 1 BY section')
                  ? [{ ...slot, section: 'nodes', interval_seconds: 60 }]
                  : [];
        return Promise.resolve(answer as Row[]);
      },
    };
    const found = (await readCluster(store, { workspace: 'w', uuid: 'u' }, now)) as {
      readonly traffic: Readonly<Record<string, unknown>> & { readonly unavailable: object };
    };
    return found.traffic;
  };

  it('is the sum over all nodes, or null with a reason if some are left out', async () => {
    assert.equal((await traffic(0))['queries_per_second'], 2_000);
    const { queries_per_second: cut, unavailable } = await traffic(100);
    assert.equal(cut, null);
    assert.match(JSON.stringify(unavailable), /100 of 300 nodes are left out/);
  });
});
