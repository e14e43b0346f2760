import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readEnvFile } from '../../../../cli/dev/env-file.js';
import { secretsByProcess } from '../../../../cli/dev/secrets-by-process.js';
import { livingOwner } from '../../../../runtime/process/pid-file.js';
import type { Start } from '../../../support/npm-start.js';
import { descendantsOf, environmentOfProcess, listeningPorts } from '../../../support/process-tree.js';
import { atScale } from '../../../support/scale.js';
import { until } from '../../../support/until.js';

const queries = ['/?query=SELECT%201', '/?user=default&query=SYSTEM%20STOP%20LISTEN%20HTTP'];
/** Paths that anyone may read; none has user data. The edge redirects `/` to the dashboard for any query. */
const open: Readonly<Record<string, readonly string[]>> = {
  EDGE_PORT: ['/', '/livez', '/readyz', '/reference', '/openapi.json', '/ui/', '/play', ...queries],
  PROCESSORS_PORT: ['/livez', '/readyz'],
  SINKS_PORT: ['/livez', '/readyz'],
  REGISTRY_PORT: [],
  CLICKHOUSE_PORT: ['/', '/ping', '/play'],
  // Programs on this machine may send to the agent and read its status; pages of other origins may not.
  AGENT_PORT: ['/', '/livez', '/readyz', '/status'],
};
const notHttp = ['KAFKA_PORT', "Kafka's controller"];
const paths = [
  ...new Set(Object.values(open).flat()),
  '/metrics',
  ...queries,
  '/api/v1/clusters',
  '/api/v1/monitoring/metrics/text-metrics',
  '/apis/ccompat/v7/subjects',
  '/apis/registry/v3/system/info',
  '/health',
];
/** Headers that a page of another origin can send without a preflight request. */
const fromAPage = {
  'content-type': 'text/plain',
  origin: 'https://elsewhere.example',
  'sec-fetch-site': 'cross-site',
};

/** A secret in the user's shell environment. */
export const ofTheUser = { LLM_API_KEY: 'the-key-of-a-language-model' };

/** A running `npm start`, with its folder and ports. */
interface Running {
  readonly home: string;
  readonly ports: Readonly<Record<string, string>>;
  readonly start: Start;
}

/** What other users of the machine can see of `npm start`. */
export function strangersFindNothing(running: () => Running): void {
  const pidOf = (name: string): number | undefined =>
    livingOwner(join(running().home, 'logs', `${name}.pid`));
  const livingPidOf = (name: string): number => {
    const pid = pidOf(name);
    assert.ok(pid !== undefined, `${name} does not run:\n${running().start.printed()}`);
    return pid;
  };
  const listening = () => listeningPorts(descendantsOf(running().start.process.pid ?? 0));
  const nameOf = (port: number): string =>
    Object.entries(running().ports).find(([, each]) => Number(each) === port)?.[0] ?? "Kafka's controller";

  it('listens on loopback alone', () => {
    const loopback = ['0100007F', '0000000000000000FFFF00000100007F'];
    assert.deepEqual(
      listening().filter(({ address }) => !loopback.includes(address)),
      [],
    );
    assert.deepEqual(
      listening()
        .map(({ port }) => nameOf(port))
        .sort(),
      [...Object.keys(open), ...notHttp].sort(),
    );
  });

  it('reveals and does nothing without credentials, on any port', async () => {
    for (const { port } of listening()) {
      const name = nameOf(port);
      assert.equal(await speaksHttp(port), !notHttp.includes(name), name);
      if (notHttp.includes(name)) continue;
      const answers = await ask(port, name === 'AGENT_PORT' ? fromAPage : {});
      const told = answers.filter(({ path, status }) => status < 400 && open[name]?.includes(path) !== true);
      assert.deepEqual(told, [], name);
    }
  });

  it('accepts nothing from a page of another origin, on any port', async () => {
    for (const [name, port] of Object.entries(running().ports)) {
      if (notHttp.includes(name)) continue;
      const answers = await ask(Number(port), fromAPage, 'SYSTEM STOP LISTEN HTTP');
      assert.deepEqual(
        answers.filter(({ status }) => status < 400),
        [],
        name,
      );
    }
    await until(
      'ClickHouse still listens',
      async () => (await fetch(`http://127.0.0.1:${running().ports['CLICKHOUSE_PORT'] ?? ''}/ping`)).ok,
    );
  });

  it('gives each process the secrets that it needs, and no other', () => {
    const { home } = running();
    const files = ['dev.env', 'secrets.env'].flatMap((file) => Object.entries(readEnvFile(join(home, file))));
    const made = files.filter(([name]) => /KEY|PASSWORD|TOKEN/.test(name));
    const secrets = new Map([...made, ...Object.entries(ofTheUser)]);
    for (const role of ['edge', 'processors', 'sinks', 'agent'] as const) {
      const environment = environmentOfProcess(livingPidOf(role));
      const own: readonly string[] = secretsByProcess[role];
      const theirs = [...secrets].filter(
        ([name, value]) => environment.includes(value) && !own.includes(name),
      );
      // Secrets whose name in dev.env and secrets.env differs from the process's variable.
      const allowed = {
        agent: ['TELLTALE_AGENT_API_KEY'],
        edge: ['CLICKHOUSE_EDGE_PASSWORD'],
        processors: ['CLICKHOUSE_EDGE_PASSWORD'],
        sinks: [''],
      }[role];
      assert.deepEqual(
        theirs.map(([name]) => name).filter((name) => !allowed.includes(name)),
        [],
        role,
      );
    }
    for (const server of ['kafka', 'registry', 'clickhouse'])
      for (const [name, value] of secrets)
        for (const file of ['environ', 'cmdline'])
          assert.ok(
            !readFileSync(`/proc/${livingPidOf(server)}/${file}`, 'utf8').includes(value),
            `${server}: ${name}`,
          );
  });

  it('keeps every file and folder accessible only to its owner', () => {
    const { home } = running();
    const all = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name));
    const shared = [home, ...all].filter(
      (path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
    );
    assert.ok(all.length > 100);
    assert.deepEqual(shared, []);
  });

  for (const server of atScale(['clickhouse'], ['clickhouse', 'registry', 'kafka']))
    it(`starts ${server} again that was killed, says so, and works on`, async () => {
      const killed = pidOf(server);
      process.kill(killed ?? 0, 'SIGKILL');
      await running().start.says(`${server} ended (SIGKILL); starting it again`);
      await until('it runs again', () => pidOf(server) !== undefined && pidOf(server) !== killed);
      await until('a prompt is scored again', scores);
    });

  const scores = async (): Promise<boolean> => {
    const { TELLTALE_URL = '', TELLTALE_API_KEY = '' } = readEnvFile(join(running().home, 'dev.env'));
    const answer = await fetch(`${TELLTALE_URL}/api/v1/monitoring/metrics/text-metrics`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TELLTALE_API_KEY}`, 'content-type': 'application/json' },
      body: '{"prompt": "Which of these two bridges was built first, and why?"}',
    }).catch(() => undefined);
    return answer?.status === 200;
  };
}

interface Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

async function ask(
  port: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const path of paths)
    for (const method of body === undefined ? ['GET', 'POST'] : ['POST']) {
      const url = `http://127.0.0.1:${port}${path}`;
      const sent = method === 'POST' ? { body: body ?? 'SELECT 1' } : {};
      const answer = await fetch(url, { method, headers, redirect: 'manual', ...sent });
      await answer.body?.cancel();
      answers.push({ method, path, status: answer.status });
    }
  return answers;
}

function speaksHttp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () =>
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    );
    socket.setTimeout(3_000, () => socket.destroy());
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer.startsWith('HTTP/')));
  });
}
