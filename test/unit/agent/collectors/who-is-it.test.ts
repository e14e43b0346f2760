import assert from 'node:assert/strict';
import { ClusterWatch } from '../../../../agent/collectors/cluster-watch.js';
import { SearchCallError, type SearchAnswer } from '../../../../agent/collectors/client-port.js';
import type { Section } from '../../../../agent/collectors/section.js';
import type { WatchOptions } from '../../../../agent/collectors/watch-options.js';
import { watchOptions } from '../../../support/watch-options.js';

const minute = 60_000;

const root: SearchAnswer = {
  status: 200,
  body: {
    cluster_name: 'books',
    cluster_uuid: 'u1',
    tagline: 'You Know, for Search',
    version: { number: '8.14.1' },
  },
  bytes: 2,
};
const refused = (status: number): SearchAnswer => ({
  status,
  body: { error: { type: 'security_exception' }, status },
  bytes: 2,
});
const unreachable = new SearchCallError('GET /', 'connection_refused', 'nothing listens');

const health: Section = {
  name: 'health',
  intervalSeconds: () => 60,
  enabled: () => true,
  privilege: 'monitor',
  async collect({ read }) {
    await read('/health');
    return null;
  },
};

describe('the identity of a watched cluster, requested by another component', () => {
  let watch: ClusterWatch;
  let elapsed: number;
  let answer: SearchAnswer | Error;
  /** Calls of the root. */
  let calls: number;
  let mostAtOnce: number;
  let wake: () => void;

  /** Starts a watch in simulated time that only the test advances; nothing is due in the first second. */
  function begin(options: Partial<WatchOptions> = {}): void {
    let running = 0;
    elapsed = 0;
    calls = 0;
    mostAtOnce = 0;
    answer = root;
    wake = () => undefined;
    const get = async (path: string): Promise<SearchAnswer> => {
      if (path.startsWith('/?')) calls += 1;
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (answer instanceof Error) throw answer;
      return path.startsWith('/?') ? answer : { status: 200, body: {}, bytes: 2 };
    };
    const given = {
      client: { get, explain: () => Promise.reject(new Error('never asked')) },
      sections: [health],
      endpoint: 'http://es',
      readClocks: () => ({ wall: elapsed, elapsed }),
      sleep: (_: number, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve());
        }),
      random: () => 0.5,
    };
    watch = new ClusterWatch(watchOptions({ ...given, ...options }, { items: [], warnings: [] }));
  }
  afterEach(() => watch.stop());

  it('is asked at the start, and read from that answer by the next section', async () => {
    begin();
    assert.equal((await watch.whoIsIt())?.uuid, 'u1');
    elapsed = 1_000;
    wake();
    await watch.whoIsIt();
    assert.equal(calls, 1);
  });

  it('is given even if another entry watches the cluster', async () => {
    begin({ claim: () => false });
    assert.equal((await watch.whoIsIt())?.name, 'books');
    await watch.whoIsIt();
    assert.equal(calls, 1);
  });

  it('is never asked while another call runs', async () => {
    begin();
    for (let at = 1; at <= 20; at += 1) {
      elapsed = at * 20_000;
      wake();
      await Promise.all([watch.whoIsIt(), watch.whoIsIt()]);
    }
    assert.equal(mostAtOnce, 1);
    assert.ok(calls >= 20);
  });

  for (const [what, failure] of [
    ['refuses the credentials', refused(401)],
    ['forbids its root', refused(403)],
    ['is another product', { ...root, body: { ...(root.body as object), version: { number: '6.8.23' } } }],
    ['is too busy', refused(429)],
    ['does not answer in time', new SearchCallError('GET /', 'timeout', 'no whole answer')],
  ] as const) {
    it(`is not asked again while a cluster ${what}, until the watch itself has got an answer`, async () => {
      begin();
      answer = failure;
      for (let at = 0; at < 20; at += 1) {
        assert.equal(await watch.whoIsIt(), null);
        elapsed += minute;
      }
      assert.equal(calls, 1);
      answer = root;
      elapsed += 60 * minute;
      wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal((await watch.whoIsIt())?.uuid, 'u1');
      assert.equal(calls, 2);
    });
  }

  it('is asked again, but not at once, if the cluster cannot be reached', async () => {
    begin();
    answer = unreachable;
    for (let times = 0; times < 5; times += 1) assert.equal(await watch.whoIsIt(), null);
    assert.equal(calls, 1);
    elapsed += minute;
    answer = root;
    assert.equal((await watch.whoIsIt())?.uuid, 'u1');
  });

  it('is not told any more once the watch has stopped', async () => {
    begin();
    await watch.stop();
    assert.equal(await watch.whoIsIt(), null);
    assert.equal(calls, 0);
  });
});
