import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { collectorsComponent } from '../../../../agent/collectors/collectors-component.js';
import type { WatchStatus } from '../../../../agent/collectors/watch-state.js';
import { agentConfig } from '../../../../agent/config.js';
import { liveConfig } from '../../../../agent/live-config.js';
import type { AgentContext, RunningComponent } from '../../../../agent/component.js';
import type { Snapshot } from '../../../../schemas/snapshots.js';
import { agentContext, memoryOutbox } from '../../../support/agent-components.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const uuid = 'ZPqtMNDPRMSUuCkhIX8ZPQ';
const unread = "slow logs: /var/log/shop.json can't be read (EACCES)";
const none = /slowlog\.enabled is false/;

describe('the diagnostics of a cluster that two entries of integration.json lead to', () => {
  const folder = temporaryFolder();
  let server: Server;
  let component: RunningComponent;
  let context: AgentContext;
  let outbox: ReturnType<typeof memoryOutbox>;
  beforeEach(async () => {
    // Stands in for a cluster: it only answers with its identity.
    const root = {
      cluster_name: 'shop',
      cluster_uuid: uuid,
      tagline: 'You Know, for Search',
      version: { number: '8.14.1' },
    };
    server = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(url.split('?')[0] === '/' ? root : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const AGENT_INTEGRATION_FILE = join(folder(), 'integration.json');
    outbox = memoryOutbox();
    const config = liveConfig({ ...agentConfig.parse({ AGENT_PORT: 0 }), AGENT_INTEGRATION_FILE });
    context = agentContext({ config, outbox });
  });
  afterEach(async () => {
    await component.stop();
    server.close();
    server.closeAllConnections();
  });

  const port = (): string => String((server.address() as AddressInfo).port);
  const url = (at = port()): string => `http://127.0.0.1:${at}`;

  async function start(...entries: readonly object[]): Promise<void> {
    const given = entries.map((entry) => ({
      service: 'elasticsearch',
      host: '127.0.0.1',
      port: port(),
      ...entry,
    }));
    writeFileSync(context.config.current().AGENT_INTEGRATION_FILE, JSON.stringify(given));
    component = await collectorsComponent.start(context);
  }
  const clusters = (): readonly WatchStatus[] => (component.status() as { clusters: WatchStatus[] }).clusters;
  const states = (): readonly string[] => clusters().map(({ state }) => state);
  const told = (): readonly string[] =>
    outbox.taken
      .flatMap(({ items }) => items as Snapshot[])
      .flatMap((item) => (item.section === 'capabilities' ? [item.body.notes.join('\n')] : []));

  it('are those of the entry that reads its logs, whichever of the two collects', async () => {
    const entries = [{}, { slowlog: { enabled: true } }];
    context.diagnostics.say({ index: 1, url: url() }, [unread], uuid);
    await start(...entries);
    await until('the capabilities are told', () => told().length > 0);
    assert.ok(told()[0]?.includes(unread), told()[0]);
    assert.doesNotMatch(told().join('\n'), none);
    await until('both have met it', () => states().toSorted().join() === 'duplicate,watching');
    for (const { notes } of clusters()) assert.deepEqual(notes, [unread]);
  });

  it('say that no entry reads its logs even if an entry that reads logs is unreachable and its cluster unknown', async () => {
    await start({}, { port: '1', slowlog: { enabled: true } });
    await until('one is watched, and the other is away', () => states().join() === 'watching,unreachable');
    assert.match(clusters()[0]?.notes.join() ?? '', none);
    assert.deepEqual(clusters()[1]?.notes, []);
  });

  it('include those of an entry whose endpoint is down, if its logs are read for the cluster', async () => {
    context.diagnostics.say({ index: 1, url: url('1') }, [], uuid);
    await start({}, { port: '1', slowlog: { enabled: true } });
    await until('one is watched, and the other is away', () => states().join() === 'watching,unreachable');
    assert.deepEqual(clusters()[0]?.notes, []);
    context.diagnostics.say({ index: 1, url: url('1') }, [unread], uuid);
    assert.deepEqual(clusters()[0]?.notes, [unread]);
    context.diagnostics.say({ index: 1, url: url('1') }, [unread], 'another');
    assert.match(clusters()[0]?.notes.join() ?? '', none);
  });
});
