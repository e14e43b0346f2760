import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { agentsPath, type AgentReportBody } from '../../schemas/agent-report.js';
import { hotThreadsAnswerPath, longestHotThreads } from '../../schemas/hot-threads.js';
import { exampleClusterUuid } from '../../schemas/openapi/cluster-examples.js';
import { agentReportBody } from './agent-report-body.js';
import { ofAgentBatches, ofTraces } from './hostile-batches.js';
import { hardJson, inBodies, inField, mebibyte, wholeBodies, type HostileRequest } from './hostile-bodies.js';

const metrics = '/api/v1/monitoring/metrics';

function* ofTasks(): Iterable<HostileRequest> {
  const task = (json: string): string => `{"prompt":"a","x":${json}}`;
  const path = `${metrics}/text-metrics/task`;
  yield* inBodies('edge', path, 'application/json', {
    ...wholeBodies(mebibyte - 64),
    ...inField(mebibyte, task),
  });
  const texts = {
    'the longest texts': () =>
      JSON.stringify({ prompt: '😀'.repeat(100_000), response: '\u0001'.repeat(100_000) }),
    'texts over the limit': () => JSON.stringify({ prompt: 'a'.repeat(1_000_000) }),
  };
  yield* inBodies('edge', path, 'application/json', texts, () => ({ 'idempotency-key': randomUUID() }));
  yield* inBodies('edge', '/api/v1/keys', 'application/json', {
    'a wide list': () => `[${'1,'.repeat(500_000)}1]`,
  });
}

function* ofBatches(): Iterable<HostileRequest> {
  const path = `${metrics}/task/batch`;
  const bytes = 4 * mebibyte - 64;
  const requests = (of: string): string[] => Array.from({ length: 1_000 }, () => of);
  const long = `{"prompt":"${'a'.repeat(4_000)}"}`;
  const wide = `{"prompt":"${'\u4e00\\n'.repeat(800)}","response":"b"}`;
  const wrong = `{"prompt":1,"response":[],"metric":"${'x'.repeat(1_000)}"}`;
  const key = () => ({ 'idempotency-key': randomUUID() });
  yield* inBodies('edge', path, 'application/x-ndjson', {
    'open braces': () => '{\n'.repeat(2_097_000),
    'empty lines': () => '\n'.repeat(bytes),
    'blank lines': () => ' \r\n'.repeat(bytes / 3),
    'one blank line': () => ' '.repeat(bytes),
    'a thousand lines of names without end': () =>
      requests(hardJson['names without end']?.(4_100) ?? '').join('\n'),
    'a thousand lines of lists in lists': () => requests('['.repeat(2_000) + ']'.repeat(2_000)).join('\n'),
    ...inField(bytes, (json) => `{"prompt":"a","x":${json}}`),
  });
  yield* inBodies(
    'edge',
    path,
    'application/json',
    inField(bytes, (json) => `[{"prompt":"a","x":${json}}]`),
  );
  const full = { long, wide, wrong };
  for (const [name, request] of Object.entries(full)) {
    yield* inBodies(
      'edge',
      path,
      'application/json',
      { [`a thousand ${name}`]: () => `[${requests(request).join()}]` },
      key,
    );
    yield* inBodies(
      'edge',
      path,
      'application/x-ndjson',
      { [`a thousand ${name}`]: () => requests(request).join('\n') },
      key,
    );
  }
}

function* ofEvents(): Iterable<HostileRequest> {
  const many = (event: object): string => JSON.stringify(Array.from({ length: 1_000 }, () => event));
  const name = '😀'.repeat(60);
  const bodies = {
    'a thousand events': () =>
      many({ metric: name, type: 'gauge', value: 1.5, cluster: name, timestamp: new Date().toISOString() }),
    'a thousand wrong events': () =>
      many({ metric: 1, type: name, value: 'x', cluster: 2, timestamp: 'never' }),
    'a million events': () => `[${'{},'.repeat(300_000)}{}]`,
    ...inField(mebibyte - 64, (json) => `[{"x":${json}}]`),
  };
  yield* inBodies('edge', '/', 'application/json', bodies, () => ({ 'idempotency-key': randomUUID() }));
  yield* inBodies('agent', '/events', 'application/json', {
    ...bodies,
    ...inField(4 * mebibyte, (json) => `[{"x":${json}}]`),
  });
}

function* ofReplays(): Iterable<HostileRequest> {
  const asked = (where: string): string => `{"kind":"scoring","metric":"all","where":${where}}`;
  const condition = `${'a'.repeat(490)}${' '.repeat(500)}is not`;
  const texts = (count: number, text: string): string => JSON.stringify(Array<string>(count).fill(text));
  yield* inBodies('edge', '/api/v1/replays', 'application/json', {
    'the longest conditions': () => asked(texts(20, condition)),
    'more conditions than are taken': () => asked(texts(16_000, condition.slice(-50))),
    'conditions that are long': () => asked(texts(20, `a has ${' '.repeat(50_000)}`)),
    'a condition of lists in lists': () => asked(`[${hardJson['lists in lists']?.(150_000) ?? ''}]`),
    ...inField(mebibyte, (json) => `{"kind":"scoring","x":${json}}`),
  });
}

/** Reports and answers of agents; answers for unrequested hot threads get the same response. */
function* ofAgents(): Iterable<HostileRequest> {
  const limit = 256 * 1024;
  const report = (changes: Partial<AgentReportBody>): string => JSON.stringify(agentReportBody(changes));
  const cluster = { endpoint: '', cluster_uuid: null, cluster_name: null, state: '', reason: null };
  yield* inBodies('edge', agentsPath, 'application/json', {
    'a report of many clusters': () => report({ clusters: Array<typeof cluster>(2_500).fill(cluster) }),
    'a report of a long name': () => report({ host: '\ud800'.repeat(40_000), agent_id: '😀'.repeat(32) }),
    ...inField(limit, (json) => `{"clusters":${json}}`),
  });
  const answer = (text: string): string =>
    `{"question_id":"q","cluster_uuid":"${exampleClusterUuid}","host":"h","message":"","hot_threads":${text}}`;
  yield* inBodies('edge', hotThreadsAnswerPath, 'application/json', {
    'the longest hot threads': () => answer(JSON.stringify('\u0001'.repeat(longestHotThreads / 2))),
    'hot threads of half surrogates': () => answer(`"${'\\ud800'.repeat(150_000)}"`),
    ...inField(mebibyte, answer),
  });
}

function* ofSessions(): Iterable<HostileRequest> {
  const own = { 'sec-fetch-site': 'same-origin', 'x-telltale-dashboard': '1' };
  const bodies = {
    'a long key': () => JSON.stringify({ key: `tt_${'_'.repeat(3_900)}` }),
    'a long link': () => JSON.stringify({ link: ' '.repeat(3_900) }),
    'more than is taken': () => JSON.stringify({ key: 'a'.repeat(mebibyte) }),
    ...inField(4_096, (json) => `{"key":${json}}`),
  };
  yield* inBodies('edge', '/ui/api/session', 'application/json', bodies, () => own);
  for (const cookie of [`__Host-sid=${'a'.repeat(12_000)}`, ';'.repeat(12_000), '__Host-sid=;'.repeat(1_000)])
    yield {
      ...{ name: `GET /ui/api/session with a cookie ${cookie.slice(0, 12)}`, server: 'edge', method: 'GET' },
      ...{ path: '/ui/api/session', headers: { ...own, cookie } },
    };
}

function* ofHeads(): Iterable<HostileRequest> {
  const get = (server: 'edge' | 'agent', path: string, headers: Readonly<Record<string, string>> = {}) => ({
    name: `GET ${path.slice(0, 60)} ${Object.keys(headers).join()}`,
    server,
    method: 'GET' as const,
    path,
    headers,
  });
  const long = 12_000;
  for (const server of ['edge', 'agent'] as const) {
    yield get(server, `/?${'a=1&'.repeat(long / 4)}`);
    yield get(server, `/?metric=${'%'.repeat(long)}`);
    yield get(server, `/?metric=${'%41'.repeat(long / 3)}&type=gauge&value=${'9'.repeat(500)}`);
    yield get(server, `/?value=${'1'.repeat(long)}x&metric=a&type=gauge`);
    yield get(server, '/'.repeat(long));
    yield get(server, `/apm/${'%41'.repeat(long / 3)}/v1/traces`);
  }
  yield get('edge', `/api/v1/clusters/x/indices?cursor=${'A'.repeat(long)}&search=${'%'.repeat(100)}`);
  yield get('edge', `${metrics}/task/${'a'.repeat(long)}/status`);
  const headers: Readonly<Record<string, string>> = {
    prefer: `${', wait ='.repeat(500)}${' '.repeat(long - 4_500)}`,
    authorization: `Bearer tt_${'_'.repeat(long)}`,
    'x-request-id': 'a'.repeat(long),
    'content-type': `application/json;${'charset=utf-8;'.repeat(long / 14)}`,
    'idempotency-key': 'a'.repeat(long),
  };
  for (const [name, value] of Object.entries(headers))
    yield {
      ...get('edge', `${metrics}/text-metrics`, { [name]: value }),
      method: 'POST',
      body: () => gzipSync('{}'),
    };
}

/** Every known input that is hard on edge or agent. */
export function* hostileCorpus(): Iterable<HostileRequest> {
  yield* ofHeads();
  yield* ofTasks();
  yield* ofBatches();
  yield* ofEvents();
  yield* ofAgentBatches();
  yield* ofTraces();
  yield* ofReplays();
  yield* ofAgents();
  yield* ofSessions();
}
