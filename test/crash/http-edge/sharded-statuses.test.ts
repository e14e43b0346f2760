import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pickFreePort } from '../../../stack/ports.js';
import { newKey } from '../../support/operator-questions.js';
import { killable, sharedPipeline } from '../../support/pipeline.js';
import { role, type Role } from '../../support/roles.js';
import { atScale } from '../../support/scale.js';
import { isOutage } from '../../support/task-client.js';
import { until } from '../../support/until.js';

const kills = atScale(2, 12);
/** The pause between two tasks of one client. */
const everyMs = atScale(150, 0);
const contendedKeys = atScale(20, 60);
const sentiment = '/api/v1/monitoring/metrics/text-sentiment/task';
const secret = randomUUID() + randomUUID();

const nth = <Item>(items: readonly Item[], at: number): Item => {
  const item = items[at % items.length];
  assert.ok(item !== undefined);
  return item;
};

/** Real processes, so real broken connections, expired sessions, and new processes on old stores. */
describe('tasks whose statuses are shared among edges, while the edges are killed', function () {
  this.timeout(300_000);
  const edges: Role[] = [];
  const logFiles = new Map<Role, string>();
  let key: string;
  let strangersKey: string;
  const accepted: string[] = [];
  const answers = new Map<string, number>();
  /** Tasks whose status got an answer other than "here it is" or "not now". */
  const wrong: string[] = [];
  /** The status codes answered instead of a 202. */
  const refusals = new Set<number>();
  const keyed = new Map<string, string>();
  let withoutRetryAfter = 0;
  let longestSilenceMs = 0;
  let movedByRestart: number | undefined;

  const call = (
    edge: Role,
    path: string,
    by: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${edge.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json', ...init.headers },
      signal: AbortSignal.timeout(20_000),
    });
  const statusPath = (id: string): string => `/api/v1/monitoring/metrics/task/${id}/status`;
  const someEdge = (): Role => nth(edges, Math.floor(Math.random() * edges.length));

  /** 0 if the edge has not counted any. */
  async function figureOf({ url }: Role, series: string): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length) ?? 0);
  }

  /** How often the group has assigned partitions to these edges. */
  function assignmentsOf(some: readonly Role[]): number {
    const logs = some.map((edge) => readFileSync(logFiles.get(edge) ?? '', 'utf8'));
    return logs.join('').split('"partitions-assigned"').length - 1;
  }

  function post(edge: Role, idempotencyKey?: string): Promise<Response> {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const body = JSON.stringify({ prompt: idempotencyKey ?? 'What a lovely day.' });
    return call(edge, sentiment, key, { method: 'POST', body, headers });
  }

  /** The answer to a request under a key. A 503 promises nothing, so the request is retried. */
  async function settled(edge: Role, idempotencyKey: string): Promise<string> {
    for (;;) {
      const answer = await post(edge, idempotencyKey);
      const text = await answer.text();
      if (answer.status !== 503) return text;
      await sleep(200);
    }
  }

  async function submit(idempotencyKey?: string): Promise<string | undefined> {
    try {
      const answer = await post(someEdge(), idempotencyKey);
      const text = await answer.text();
      if (answer.status === 202) return (JSON.parse(text) as { task_id: string }).task_id;
      refusals.add(answer.status);
    } catch {
      // The edge was killed.
    }
    return undefined;
  }

  /** The status code, or undefined if the connection broke. */
  async function ask(edge: Role, id: string, by = key): Promise<number | undefined> {
    try {
      const answer = await call(edge, statusPath(id), by);
      await answer.arrayBuffer();
      if (answer.status === 503 && answer.headers.get('retry-after') === null) withoutRetryAfter++;
      return answer.status;
    } catch {
      return undefined;
    }
  }

  async function load(running: () => boolean): Promise<void> {
    for (let round = 0; running(); round++) {
      const name = `key ${round} ${randomUUID()}`;
      const idempotencyKey = round % 5 === 0 ? name.replaceAll(' ', '-') : undefined;
      const id = await submit(idempotencyKey);
      if (id === undefined) continue;
      accepted.push(id);
      if (idempotencyKey !== undefined) keyed.set(idempotencyKey, id);
      const asked = Date.now();
      for (const edge of edges) {
        const code = await ask(edge, id);
        answers.set(String(code), (answers.get(String(code)) ?? 0) + 1);
        if (code !== undefined && code !== 200 && code !== 503) wrong.push(`${id}: ${code}`);
      }
      const known = nth(accepted, Math.floor(Math.random() * accepted.length));
      while ((await ask(someEdge(), known)) !== 200 && running()) await sleep(20);
      longestSilenceMs = Math.max(longestSilenceMs, Date.now() - asked);
      await sleep(everyMs);
    }
  }

  before(async () => {
    const pipeline = await sharedPipeline('shards', killable);
    const { environment } = pipeline;
    key = pipeline.key;
    strangersKey = await newKey(environment, 'strangers', ['read']);
    for (const name of ['a', 'b', 'c']) {
      const port = await pickFreePort();
      const logFile = join(pipeline.folder, `shards-${name}.log`);
      const edge = await role({
        command: 'edge',
        portVariable: 'EDGE_PORT',
        environment: {
          ...environment,
          // The second edge is back before its session expires, however busy the machine is.
          KAFKA_SESSION_TIMEOUT_MS: name === 'b' ? '60000' : '6000',
          STATUS_VIEW: 'sharded',
          EDGE_PEER_PORT: String(port),
          EDGE_PEER_URL: `http://127.0.0.1:${port}`,
          EDGE_PEER_SECRET: secret,
          TELLTALE_STATE: join(pipeline.folder, `shards-${name}`),
        },
        logFile,
      });
      edges.push(edge);
      logFiles.set(edge, logFile);
    }
    await Promise.all(edges.map((each) => each.start()));
    let killing = true;
    const loads = Array.from({ length: 4 }, () => load(() => killing));
    for (let kill = 0; kill < kills; kill++) {
      const before = accepted.length;
      await until('tasks are accepted', () => accepted.length > before + atScale(20, 40));
      const victim = nth(edges, kill);
      const others = edges.filter((each) => each !== victim);
      const assignedBefore = assignmentsOf(others);
      await victim.kill9();
      // Sometimes long enough for the others to acquire its partitions.
      await sleep(kill % 2 === 0 ? 9_000 : 0);
      await victim.start();
      if (kill === 1) movedByRestart = assignmentsOf(others) - assignedBefore;
    }
    killing = false;
    await Promise.all(loads);
  });
  after(() => Promise.all(edges.map((each) => each.stop())));

  it('are never said to be unknown, by any edge, at any time', () => {
    assert.deepEqual(
      [...refusals].filter((status) => !isOutage(status)),
      [],
    );
    console.log(
      `    ${accepted.length} tasks, answers ${JSON.stringify(Object.fromEntries(answers))}, the longest that one was not found: ${longestSilenceMs} ms`,
    );
    assert.deepEqual(wrong, []);
    assert.equal(withoutRetryAfter, 0, 'a 503 says when to try again');
  });

  it('are all found processed on every edge in the end, and by no other workspace', async () => {
    for (const edge of edges)
      for (const id of accepted) {
        await until(`${id} is processed`, async () => {
          const answer = await call(edge, statusPath(id), key);
          const text = await answer.text();
          assert.ok(answer.status === 200 || answer.status === 503, `${id}: ${answer.status} ${text}`);
          return text.includes('"processed"');
        });
      }
    for (const edge of edges)
      for (const id of accepted.slice(0, 20)) assert.equal(await ask(edge, id, strangersKey), 404);
  });

  it('are the same tasks for the same Idempotency-Key, whichever edge took it', async () => {
    assert.ok(keyed.size > 0);
    for (const [name, id] of keyed) {
      const { task_id: again } = JSON.parse(await settled(someEdge(), name)) as { task_id: string };
      assert.equal(again, id);
    }
  });

  it('are accepted under a key by one edge at a time, so that no edge fences another', async () => {
    const startedOver = (edge: Role): Promise<number> =>
      figureOf(edge, 'telltale_append_once_calls_total{outcome="started-over"}');
    const handedOver = (edge: Role): Promise<number> =>
      figureOf(edge, 'telltale_appends_to_owners_total{outcome="decided"}');
    const sum = async (of: (edge: Role) => Promise<number>): Promise<number> =>
      (await Promise.all(edges.map(of))).reduce((all, each) => all + each, 0);
    const before = [await sum(startedOver), await sum(handedOver)] as const;
    const names = Array.from({ length: contendedKeys }, (_, at) => `shared-${at}-${randomUUID()}`);
    for (const name of names) {
      const texts = await Promise.all(edges.map((edge) => settled(edge, name)));
      assert.equal(new Set(texts).size, 1, texts.join('\n'));
      assert.match(texts[0] ?? '', /"task_id"/);
    }
    const [over, handed] = [(await sum(startedOver)) - before[0], (await sum(handedOver)) - before[1]];
    console.log(`    ${names.length * 3} requests: ${handed} handed to another edge, ${over} started over`);
    assert.ok(over <= 3, `${over} transactions started over`);
    assert.ok(handed >= names.length, `${handed} requests were handed to another edge`);
  });

  it('stay on their edge if it is killed and restarts before its session ends', () => {
    assert.equal(movedByRestart, 0);
  });

  it('are shared: each edge says that it keeps a part of them', async () => {
    const kept = await Promise.all(
      edges.map((edge) => figureOf(edge, 'telltale_status_view_partitions{state="kept"}')),
    );
    assert.ok(Math.max(...kept) - Math.min(...kept) <= 1, String(kept));
  });
});
