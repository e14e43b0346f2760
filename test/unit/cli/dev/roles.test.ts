import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TelltaleError } from '../../../../runtime/errors.js';
import { agentRole, rolesOf, untilReady, type Role } from '../../../../cli/dev/roles.js';
import { devConfig } from '../../../../cli/dev/settings.js';
import type { Supervised } from '../../../../cli/dev/supervisor.js';

describe('waiting for a role', () => {
  let server: Server;
  let role: Role;
  let status = 503;

  before(async () => {
    server = createServer((_, response) => {
      response.writeHead(status).end('{"waiting_for":{"kafka":"connecting"}}');
      status = 200;
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    role = { name: 'edge', url: `http://127.0.0.1:${port}`, stopMs: 1_000 };
  });
  after(() => void server.close());

  const supervised = (crashLoop: boolean): Supervised => ({
    name: 'edge',
    pid: 1,
    started: Promise.resolve(),
    crashLoop,
    lastWords: () => 'no such topic',
    stop: () => Promise.resolve(),
    kill9: () => Promise.resolve(),
  });
  const never = new AbortController().signal;

  it('continues until the role says that it is ready', async () => {
    status = 503;
    const said: string[] = [];
    await untilReady(role, supervised(false), (line) => said.push(line), never);
    assert.match(said.join(), /edge ready/);
  });

  it("fails, with the end of the role's log, if the role ends again and again", async () => {
    status = 503;
    await assert.rejects(
      untilReady(role, supervised(true), () => undefined, never),
      (error) =>
        error instanceof TelltaleError &&
        error.code === 'SETUP_FAILED' &&
        error.message.includes('no such topic'),
    );
  });

  it('ends as soon as a stop is requested', async () => {
    const nobody = { ...role, url: 'http://127.0.0.1:1' };
    await assert.rejects(untilReady(nobody, supervised(false), () => undefined, AbortSignal.timeout(50)));
  });
});

describe('the roles of npm start', () => {
  it('end within 10 s, which leaves 5 s for the servers', () => {
    const settings = devConfig.parse({});
    const limits = [...rolesOf(settings), agentRole(settings)].map(({ stopMs }) => stopMs);
    assert.ok(limits.reduce((sum, ms) => sum + ms, 0) <= 10_000, limits.join(', '));
  });
});
