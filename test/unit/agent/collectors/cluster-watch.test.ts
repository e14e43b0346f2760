import assert from 'node:assert/strict';
import { ClusterWatch } from '../../../../agent/collectors/cluster-watch.js';
import type { WatchOptions } from '../../../../agent/collectors/watch-options.js';
import { SearchCallError, type SearchAnswer } from '../../../../agent/collectors/client-port.js';
import type { CollectionEnd } from '../../../../agent/collectors/instruments.js';
import type { Section } from '../../../../agent/collectors/section.js';
import { parseSnapshot, type SectionName, type Snapshot } from '../../../../schemas/snapshots.js';
import { watchOptions, type Watched } from '../../../support/watch-options.js';

const second = 1_000;
const minute = 60 * second;
const begin = 1_795_244_700_000;

const root = (uuid: string): object => ({
  cluster_name: 'books',
  cluster_uuid: uuid,
  tagline: 'You Know, for Search',
  version: { number: '8.14.1' },
});

/** A section that makes one call and reports nothing else. */
function section(name: SectionName, intervalSeconds: number): Section {
  return {
    name,
    intervalSeconds: () => intervalSeconds,
    enabled: () => true,
    privilege: `what ${name} needs`,
    async collect({ read }) {
      await read(`/${name}`);
      return { body: { tasks: [] } as never, partial: false, unavailable: [] };
    },
  };
}

interface Trial {
  readonly calls: { readonly path: string; readonly at: number }[];
  readonly items: Snapshot[];
  readonly ends: [SectionName, CollectionEnd][];
  readonly warnings: string[];
  readonly watch: ClusterWatch;
  mostAtOnce: number;
}

/**
 * Runs a watch for this many minutes of simulated time, which waiting and answering advance. `answer` returns
 * the cluster's answer to a path, which takes `tookMs`.
 */
async function run(
  minutes: number,
  answer: (path: string, at: number) => SearchAnswer | Error,
  options: Partial<WatchOptions> & { readonly tookMs?: number } = {},
): Promise<Trial> {
  let elapsed = 0;
  let running = 0;
  let ended: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (ended = resolve));
  const calls: Trial['calls'] = [];
  const watched: Watched = { items: [], warnings: [] };
  const ends: Trial['ends'] = [];
  let mostAtOnce = 0;
  const get = async (path: string): Promise<SearchAnswer> => {
    const name = path.startsWith('/?') ? '/' : path;
    calls.push({ path: name, at: elapsed });
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await Promise.resolve();
    elapsed += name === '/' ? 1.3 : (options.tookMs ?? 0.7);
    running -= 1;
    const answered = answer(name, elapsed);
    if (answered instanceof Error) throw answered;
    return answered;
  };
  const given = {
    client: { get, explain: () => Promise.reject(new Error('never asked')) },
    sections: [section('health', 60), section('indices', 300)],
    endpoint: 'http://es',
    instruments: {
      ended: (name: SectionName, how: CollectionEnd) => ends.push([name, how]),
      took: () => undefined,
    },
    readClocks: () => ({ wall: begin + Math.floor(elapsed), elapsed }),
    sleep: async (ms: number, signal: AbortSignal) => {
      elapsed += ms;
      if (elapsed < minutes * minute) return;
      ended();
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
    },
    random: () => 0.5,
  };
  const watch = new ClusterWatch(watchOptions({ ...given, ...options }, watched));
  await over;
  await watch.stop();
  const warnings = watched.warnings.map(({ text }) => text);
  return { calls, items: watched.items, ends, warnings, watch, mostAtOnce };
}

const well = (path: string): SearchAnswer => ({
  status: 200,
  body: path === '/' ? root('u1') : {},
  bytes: 2,
});
const refused = (status: number, type = 'x'): SearchAnswer => ({
  status,
  body: { error: { type }, status },
  bytes: 2,
});
const of = (items: readonly Snapshot[], name: SectionName): readonly Snapshot[] =>
  items.filter((item) => item.section === name);
const capability = ({ watch }: Pick<Trial, 'watch'>, name: SectionName) =>
  watch.status().sections.find(({ section }) => section === name);

describe('the watch of a cluster', () => {
  it('collects each section once in each of its intervals', async () => {
    const { items } = await run(60, well);
    for (const [name, seconds] of [
      ['health', 60],
      ['indices', 300],
    ] as const) {
      const slots = of(items, name).map(({ slot }) => slot);
      assert.equal(new Set(slots).size, slots.length, 'a slot twice');
      const gaps = slots.slice(1).map((slot, at) => slot - (slots[at] ?? 0));
      assert.ok(
        gaps.every((gap) => gap === seconds * second),
        `${name}: ${gaps.join(' ')}`,
      );
    }
  });

  it('reports every minute what it cannot collect from a cluster known from before its start', async () => {
    const known = { uuid: 'u1', name: 'books', version: '8.14.1', major: 8 };
    const { items } = await run(5, () => refused(403), { known });
    const told = of(items, 'capabilities');
    assert.ok(told.length >= 4, `${told.length} reports`);
    assert.ok(told.every(({ cluster_uuid: uuid }) => uuid === 'u1'));
    assert.match(JSON.stringify(told[0]?.body), /"section":"health","state":"forbidden"/);
    assert.equal((await run(5, () => refused(403))).items.length, 0);
  });

  it('tells nothing of a cluster that another entry watches, whatever fails here', async () => {
    const known = { uuid: 'u1', name: 'books', version: '8.14.1', major: 8 };
    const { items } = await run(5, () => refused(403), { known, isOthers: (uuid) => uuid === 'u1' });
    assert.deepEqual(items, []);
  });

  it('never makes two calls at once, nor makes up for intervals that a slow cluster missed', async () => {
    const trial = await run(60, well, { tookMs: 150 * second });
    assert.equal(trial.mostAtOnce, 1);
    const health = trial.calls.filter(({ path }) => path === '/health');
    assert.ok(health.length <= 24, `${health.length} calls in an hour`);
    assert.ok((capability(trial, 'health')?.skipped ?? 0) > 5);
    assert.ok(trial.ends.some(([name, how]) => name === 'health' && how === 'skipped'));
  });

  it('skips a section that is forbidden, names the privilege, and tries again half an hour later', async () => {
    const trial = await run(70, (path, at) =>
      path === '/indices' && at < 20 * minute ? refused(403, 'security_exception') : well(path),
    );
    const tries = trial.calls.filter(({ path }) => path === '/indices').map(({ at }) => at);
    assert.ok((tries[1] ?? 0) - (tries[0] ?? 0) >= 27 * minute);
    assert.ok(tries.length > 4, 'it is collected again once it is allowed');
    assert.ok(of(trial.items, 'health').length >= 68);
    const said = of(trial.items, 'capabilities')[0];
    assert.ok(said?.section === 'capabilities');
    const forbidden = said.body.sections.find(({ section: name }) => name === 'indices');
    assert.deepEqual([forbidden?.state, forbidden?.privilege], ['forbidden', 'what indices needs']);
    assert.equal(trial.warnings.length, 1, 'one line in the log, not one a cycle');
  });

  it('stops everything when the credentials are refused, with one message, and resumes once they are accepted', async () => {
    const trial = await run(90, (path, at) =>
      at > 10 * minute && at < 50 * minute ? refused(401) : well(path),
    );
    const during = trial.calls.filter(({ at }) => at > 11 * minute && at < 50 * minute);
    assert.ok(during.length <= 2, `${during.length} calls while refused`);
    assert.equal(trial.warnings.filter((text) => text.includes('refuses the credentials')).length, 1);
    assert.equal(trial.watch.status().state, 'watching');
    assert.ok(of(trial.items, 'health').some(({ taken_at }) => taken_at > begin + 70 * minute));
  });

  const unreachable = new SearchCallError('GET /', 'connection_refused', 'nothing listens');
  const unformed: SearchAnswer = { status: 200, body: root('_na_'), bytes: 2 };
  const masterless = (path: string): SearchAnswer =>
    path === '/' ? well(path) : refused(503, 'master_not_discovered_exception');
  for (const [what, troubled] of [
    ['could not be reached', () => unreachable],
    ['had not formed', () => unformed],
    ['had no master', masterless],
  ] as const) {
    it(`asks a cluster that ${what} again in the next interval where it refuses the credentials: it may be starting`, async () => {
      const trial = await run(30, (path, at) => {
        if (at < 10 * minute || at > 15 * minute) return well(path);
        return at < 12.5 * minute ? troubled(path) : refused(401);
      });
      const asked = trial.calls.filter(
        ({ path, at }) => path === '/' && at > 12.5 * minute && at < 15 * minute,
      );
      assert.ok(asked.length >= 2 && asked.length <= 4, `${asked.length} calls while refused`);
      assert.deepEqual(
        trial.warnings.filter((text) => text.includes('refuses the credentials')),
        [],
      );
      assert.ok(
        of(trial.items, 'health').some(
          ({ taken_at }) => taken_at < begin + 17 * minute && taken_at > begin + 15 * minute,
        ),
      );
    });
  }

  it('reports at once that a cluster without earlier trouble refuses the credentials, and asks once more soon', async () => {
    const { calls, warnings, watch } = await run(20, () => refused(401));
    assert.equal(calls.length, 2);
    assert.equal(warnings.filter((text) => text.includes('refuses the credentials')).length, 1);
    assert.equal(watch.status().state, 'unauthorized');
  });

  it('loses at most two minutes if a node restarts unseen between two calls and refuses good credentials', async () => {
    const window = { from: 10 * minute, to: 11 * minute };
    const trial = await run(20, (path, at) =>
      at > window.from && at < window.to ? refused(401) : well(path),
    );
    const taken = of(trial.items, 'health').map(({ taken_at }) => taken_at - begin);
    assert.ok(taken.every((at) => at <= window.from || at >= window.to));
    assert.ok(
      taken.some((at) => at > window.to && at < window.to + 2 * minute),
      taken.join(),
    );
  });

  it('takes a lasting refusal of the credentials for final, even if the cluster was unreachable before', async () => {
    const trial = await run(60, (_, at) => (at < 3 * minute ? unreachable : refused(401)));
    const late = trial.calls.filter(({ at }) => at > 9 * minute);
    assert.ok(late.length <= 2, `${late.length} calls while refused`);
    assert.equal(trial.warnings.filter((text) => text.includes('refuses the credentials')).length, 1);
    assert.equal(trial.watch.status().state, 'unauthorized');
  });

  for (const [what, failure] of [
    ['is too busy', refused(429, 'circuit_breaking_exception')],
    ['does not answer in time', new SearchCallError('GET /health', 'timeout', 'no whole answer')],
  ] as const) {
    it(`is asked less and less while it ${what}, yet every five minutes`, async () => {
      const { calls, ends } = await run(60, (path) => (path === '/health' ? failure : well(path)));
      const at = calls.filter(({ path }) => path === '/health').map((call) => call.at);
      const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
      assert.ok((gaps[0] ?? 0) >= 1.7 * minute && (gaps[1] ?? 0) >= 3.5 * minute, gaps.join(' '));
      assert.ok(gaps.every((gap) => gap <= 5.6 * minute));
      assert.ok(ends.some(([name, how]) => name === 'health' && how === 'busy'));
    });
  }

  it('collects every section as soon as a cluster that was down at the start answers', async () => {
    const { items } = await run(20, (path, at) => (at < 2.5 * minute ? unreachable : well(path)), {
      sections: [section('health', 60), section('topology', 900), section('tasks', 600)],
      random: () => 0.9,
    });
    for (const name of ['health', 'topology', 'tasks'] as const) {
      const first = of(items, name)[0];
      assert.ok((first?.taken_at ?? Infinity) <= begin + 4 * minute, name);
    }
  });

  it('names the privilege that credentials lack if they do not permit asking which cluster it is', async () => {
    const { watch, warnings } = await run(10, () => refused(403, 'security_exception'));
    assert.equal(watch.status().state, 'forbidden');
    assert.match(warnings.join('\n'), /cluster privilege monitor/);
  });

  const page = (status: number): SearchAnswer => ({ status, body: '<html>Not here</html>', bytes: 2 });
  for (const [what, answer] of [
    ['with 404', page(404)],
    ['with 405', page(405)],
    ['with 403', page(403)],
    ['with a page', page(200)],
    ['with JSON of its own', { ...well('/health'), body: { message: 'no route' } }],
  ] as const) {
    it(`is asked again in the next interval where a proxy answers ${what} for it, or in a section`, async () => {
      for (const asked of ['/', '/health']) {
        const { items, watch } = await run(10, (path, at) =>
          path === asked && at > 3 * minute && at < 4.5 * minute ? answer : well(path),
        );
        const late = of(items, 'health').filter(({ taken_at }) => taken_at > begin + 4.5 * minute);
        assert.ok(late.length >= 5, `${late.length} collections after it`);
        assert.equal(watch.status().state, 'watching');
      }
    });
  }

  it('says that something other than the cluster answers, and what to check', async () => {
    const { watch } = await run(5, () => page(404));
    assert.equal(watch.status().state, 'unreachable');
    assert.match(watch.status().reason ?? '', /the 404 does not come from the cluster.*proxy/);
  });

  for (const [what, answer] of [
    ['another product', { ...root('u1'), version: { number: '2.19.6', distribution: 'opensearch' } }],
    ['a version that is not supported', { ...root('u1'), version: { number: '6.8.23' } }],
  ] as const) {
    it(`is left alone for half an hour where it says itself that it is ${what}`, async () => {
      const { calls, watch } = await run(20, () => ({ status: 200, body: answer, bytes: 2 }));
      assert.equal(calls.length, 1);
      assert.equal(watch.status().state, 'unsupported');
    });
  }

  it('asks nothing for half an hour if the cluster forbids its root', async () => {
    const { calls } = await run(20, () => refused(403, 'security_exception'));
    assert.equal(calls.length, 1);
  });

  it('shows in its status which part of the configuration could not be applied', async () => {
    const note = 'tls.ca cannot be read: the system trust store is used';
    const { watch } = await run(1, well, { diagnostics: () => [note] });
    assert.deepEqual(watch.status().notes, [note]);
  });

  it('sends nothing of a cluster that has not formed', async () => {
    const { items, calls, watch } = await run(10, (path) => ({ ...well(path), body: root('_na_') }));
    assert.deepEqual(items, []);
    assert.ok(calls.every(({ path }) => path === '/'));
    assert.match(watch.status().reason ?? '', /no UUID/);
  });

  it('reports a reason as long as the names in a certificate in items that the edge takes', async () => {
    const names = Array.from({ length: 200 }, (_, number) => `DNS:node-${number}.example.org`).join(', ');
    const mismatch = new SearchCallError(
      'GET /health',
      'tls_error',
      `is not in the cert's altnames: ${names}`,
    );
    const { items, watch } = await run(3, (path) => (path === '/health' ? mismatch : well(path)));
    const reports = of(items, 'capabilities').map(parseSnapshot);
    assert.ok(reports.length > 0);
    for (const parsed of reports) assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
    const { reason } = capability({ watch }, 'health') ?? {};
    assert.match(reason ?? '', /^is not in the cert's altnames: DNS:node-0.example.org/);
  });

  it('reports more notes than an item holds in items that the edge takes, with the number of the rest', async () => {
    const diagnostics = Array.from(
      { length: 1_000 },
      (_, number) => `slow logs: a-${number}.json can't be read`,
    );
    const { items } = await run(3, well, { diagnostics: () => diagnostics });
    const [said] = of(items, 'capabilities').map(parseSnapshot);
    assert.ok(said?.ok === true && said.snapshot.section === 'capabilities', JSON.stringify(said));
    const { notes: told } = said.snapshot.body;
    assert.deepEqual(told.slice(0, -1), diagnostics.slice(0, told.length - 1));
    assert.equal(
      told.at(-1),
      `there are ${1_000 - told.length + 1} more notes: GET /status of the agent lists them`,
    );
  });

  it('says what it can and cannot collect in items that the edge takes', async () => {
    const { items } = await run(40, (path) => (path === '/indices' ? refused(403) : well(path)));
    for (const item of of(items, 'capabilities')) {
      const parsed = parseSnapshot(item);
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
    }
    const told = of(items, 'capabilities').map(({ slot }) => (slot - begin) / minute);
    assert.deepEqual(
      told.map(Math.floor),
      [0, 1, 16, 31],
      'twice at the start, and every quarter of an hour',
    );
  });

  it('reports every minute that nothing can be collected, so that it is seen to be still at work', async () => {
    let valid = true;
    const { items } = await run(
      40,
      (path, at) => {
        if (path === '/health' && at > 10 * minute) valid = false;
        return valid ? well(path) : refused(401);
      },
      { sections: [section('health', 60), section('nodes', 60)] },
    );
    const failing = of(items, 'capabilities').filter(
      (item) =>
        item.section === 'capabilities' && item.body.sections.every(({ state }) => state === 'failing'),
    );
    const last = of(items, 'nodes').at(-1)?.taken_at ?? 0;
    const told = failing.map(({ taken_at }) => (taken_at - last) / second);
    assert.ok((told[0] ?? Infinity) < 5, `first ${told.join(' ')} s after the last snapshot`);
    assert.ok((told[1] ?? 0) >= 54 && (told[1] ?? Infinity) < 130, `then ${told.join(' ')} s`);
    const pauses = told.slice(1).map((at, index) => at - (told[index] ?? 0));
    assert.ok(
      told.length > 10 && pauses.every((pause) => pause < 130),
      `and then ${pauses.join(' ')} s apart`,
    );
  });

  it('treats a cluster that was rebuilt at the same address as another cluster', async () => {
    const { items } = await run(10, (path, at) => ({
      ...well(path),
      body: path === '/' ? root(at < 5 * minute ? 'u1' : 'u2') : {},
    }));
    const uuids = of(items, 'health').map(({ cluster_uuid }) => cluster_uuid);
    assert.deepEqual([...new Set(uuids)], ['u1', 'u2']);
    assert.ok(of(items, 'indices').some(({ cluster_uuid }) => cluster_uuid === 'u2'));
  });

  it('collects nothing if another entry of the agent watches the same cluster', async () => {
    const { items, calls, watch } = await run(10, well, { claim: () => false });
    assert.deepEqual(items, []);
    assert.ok(calls.every(({ path }) => path === '/'));
    assert.equal(watch.status().state, 'duplicate');
  });

  it('counts a gap if there is no room for a snapshot, and continues', async () => {
    let full = true;
    const { ends } = await run(
      10,
      (path, at) => {
        full = at < 5 * minute;
        return well(path);
      },
      { put: () => (full ? Promise.reject(new Error('the spool is full')) : Promise.resolve()) },
    );
    const health = ends.filter(([name]) => name === 'health').map(([, how]) => how);
    assert.ok(health.includes('gap') && health.at(-1) === 'ok');
  });
});
