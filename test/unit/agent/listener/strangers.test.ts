import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import type { AgentConfig } from '../../../../agent/config.js';
import { eventsComponent } from '../../../../agent/events/events-component.js';
import { traces } from '../../../../agent/traces/traces.js';
import { memoryOutbox, startAgentWith } from '../../../support/agent-components.js';
import { connectRaw } from '../../../support/raw-http.js';

const shop = 'https://shop.example.com';
const event = '{"metric":"m","type":"gauge","value":1}';

/** An answer to a request with exactly the given headers. */
interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

describe('access to an agent', () => {
  const outbox = memoryOutbox();
  let agent: Awaited<ReturnType<typeof startAgentWith>>;

  const start = async (config: Partial<AgentConfig>): Promise<void> => {
    agent = await startAgentWith([eventsComponent, traces], outbox, config);
  };
  beforeEach(() => void outbox.taken.splice(0));
  afterEach(() => agent.stop());

  const ask = async (line: string, headers: readonly string[], body = ''): Promise<Answer> => {
    const raw = await connectRaw(agent.port);
    const lines = [`${line} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`, 'Connection: close'];
    raw.send(`${lines.join('\r\n')}\r\n\r\n${body}`);
    const [head = ''] = (await raw.untilClosed()).split('\r\n\r\n');
    const [statusLine = '', ...fields] = head.split('\r\n');
    return {
      status: Number(statusLine.split(' ')[1]),
      headers: new Map(
        fields.map((field) => {
          const [name = '', ...value] = field.split(':');
          return [name.toLowerCase(), value.join(':').trim()];
        }),
      ),
    };
  };
  const postEvent = (...headers: readonly string[]): Promise<Answer> =>
    ask('POST /events', ['Content-Type: application/json', ...headers], event);
  const local = 'Host: 127.0.0.1:3774';

  describe('by host name', () => {
    it('is allowed for loopback, a name of the agent, or the address that the connection came to', async () => {
      await start({ AGENT_HOST: '0.0.0.0', AGENT_ALLOWED_HOSTS: ['agent.internal'] });
      for (const host of [
        'localhost',
        'LOCALHOST:3774',
        '127.0.0.1:3774',
        '[::1]:3774',
        'Agent.internal:3774',
        hostname(),
      ])
        assert.equal((await postEvent(`Host: ${host}`)).status, 200, host);
    });

    it('is refused for any other name, on any path', async () => {
      await start({ AGENT_HOST: '0.0.0.0' });
      for (const host of ['evil.example', 'evil.example:3774', 'localhost.evil.example', '0.0.0.0:3774', ''])
        assert.equal((await postEvent(`Host: ${host}`)).status, 421, host);
      for (const path of ['/', '/?method=increment&metric=m', '/livez', '/status', '/metrics', '/nowhere'])
        assert.equal((await ask(`GET ${path}`, ['Host: evil.example'])).status, 421, path);
      assert.equal((await ask('POST /v1/traces', ['Host: evil.example'], '{}')).status, 421);
      assert.equal((await ask('GET http://evil.example/status', [local])).status, 421);
      assert.equal((await postEvent(local, 'Host: evil.example')).status, 400);
      assert.deepEqual(outbox.taken, []);
    });
  });

  describe('from a browser', () => {
    const foreign: readonly (readonly string[])[] = [
      ['Origin: https://evil.example'],
      ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site'],
      ['Origin: http://127.0.0.1:8080', 'Sec-Fetch-Site: same-site'],
      ['Origin: null'],
      [`Origin: ${shop}.evil.example`],
      ['Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-site'],
      ['Origin: http://127.0.0.1:3774', 'Sec-Fetch-Site: cross-site'],
    ];

    it('is refused to a page of another origin, on any path', async () => {
      await start({ AGENT_ALLOWED_ORIGINS: [shop] });
      for (const headers of foreign) {
        const answers = [
          await postEvent(local, ...headers),
          await ask('GET /?method=increment&metric=m', [local, ...headers]),
          await ask('POST /v1/traces', [local, ...headers], '{}'),
          await ask('GET /status', [local, ...headers]),
          await ask('OPTIONS /events', [local, ...headers, 'Access-Control-Request-Method: POST']),
        ];
        for (const { status, headers: said } of answers) {
          assert.equal(status, 403, headers.join());
          assert.equal(said.has('access-control-allow-origin'), false);
        }
      }
      assert.deepEqual(outbox.taken, []);
    });

    it('is allowed to a page of the agent itself, and to an address typed by the user', async () => {
      await start({});
      const own = ['Origin: http://127.0.0.1:3774', 'Sec-Fetch-Site: same-origin'];
      assert.equal((await postEvent(local, ...own)).status, 200);
      assert.equal((await ask('GET /status', [local, 'Sec-Fetch-Site: none'])).status, 200);
    });

    it('is allowed to a page of a listed origin, which may read every answer', async () => {
      await start({ AGENT_ALLOWED_ORIGINS: ['https://other.example.com', shop] });
      const page = [local, `Origin: ${shop}`, 'Sec-Fetch-Site: cross-site'];
      for (const answer of [
        await postEvent(...page),
        await ask('POST /v1/traces', page, '{}'),
        await ask('GET /nowhere', page),
      ]) {
        assert.equal(answer.headers.get('access-control-allow-origin'), shop);
        assert.equal(answer.headers.get('vary'), 'origin');
      }
      assert.equal(outbox.taken.length, 1);
    });

    it('is described to a page of a listed origin by a preflight request, without the token', async () => {
      await start({ AGENT_ALLOWED_ORIGINS: [shop], AGENT_TOKEN: 'open-sesame' });
      const preflight = [
        local,
        `Origin: ${shop}`,
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: authorization,content-type',
        'Access-Control-Request-Private-Network: true',
      ];
      const { status, headers } = await ask('OPTIONS /v1/traces', preflight);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), shop);
      assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/);
      assert.equal(headers.get('access-control-allow-headers'), 'authorization,content-type');
      assert.equal(headers.get('access-control-allow-private-network'), 'true');
      assert.equal((await postEvent(local, `Origin: ${shop}`)).status, 401);
      const token = 'Authorization: Bearer open-sesame';
      assert.equal((await postEvent(local, `Origin: ${shop}`, token)).status, 200);
    });
  });
});
