import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectorsComponent } from '../../../../agent/collectors/collectors-component.js';
import { agentConfig } from '../../../../agent/config.js';
import { liveConfig } from '../../../../agent/live-config.js';
import type { RunningComponent } from '../../../../agent/component.js';
import { createSlowLogsComponent } from '../../../../agent/slowlogs/slow-logs-component.js';
import { agentContext, memoryOutbox } from '../../../support/agent-components.js';
import { clusterUuid, numbersIn, searchLine } from '../../../support/slow-logs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const root = {
  cluster_name: 'shop',
  cluster_uuid: clusterUuid,
  tagline: 'You Know, for Search',
  version: { number: '8.14.1' },
};
const refusal = { error: { type: 'security_exception' }, status: 401 };

describe('slow logs of a cluster that refuses the credentials', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let server: Server;
  let refuses: boolean;
  let rootCalls: number;
  let components: RunningComponent[];
  beforeEach(async () => {
    refuses = false;
    rootCalls = 0;
    components = [];
    // Stands in for a cluster: it only answers with its identity, or refuses.
    server = createServer(({ url = '' }, response) => {
      const isRoot = url.split('?')[0] === '/';
      if (isRoot) rootCalls += 1;
      response.writeHead(refuses ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refuses ? refusal : isRoot ? root : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const component of components.toReversed()) await component.stop();
    server.close();
    server.closeAllConnections();
  });

  /** Starts both components that deal with clusters; slow logs are checked continuously. */
  async function start() {
    const { port } = server.address() as AddressInfo;
    const file = join(folder(), 'integration.json');
    const slowlog = { enabled: true, searchLogPath: log(), indexingLogPath: log() };
    const entry = { service: 'elasticsearch', host: '127.0.0.1', port: `${port}`, slowlog };
    writeFileSync(file, JSON.stringify(entry));
    const outbox = memoryOutbox();
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const context = agentContext({ config, outbox });
    components.push(
      await collectorsComponent.start(context),
      await createSlowLogsComponent(20).start(context),
    );
    const arrived = (): readonly number[] =>
      numbersIn({ taken: outbox.taken.filter(({ dataset }) => dataset === 'slow-operations') });
    const watchState = (): string | undefined =>
      (components[0]?.status() as { clusters: readonly { state: string }[] }).clusters[0]?.state;
    return { watchState, arrived };
  }
  const log = (): string => join(folder(), 'search.json');

  it('cause no call in addition to those of the collectors, which back off', async () => {
    refuses = true;
    writeFileSync(log(), '');
    const { watchState } = await start();
    await until('the credentials are refused', () => watchState() === 'unauthorized');
    await sleep(1_500);
    assert.equal(rootCalls, 1);
  });

  it('are still read if its identity was known before', async () => {
    writeFileSync(log(), searchLine(0));
    const before = await start();
    await until('an entry has arrived', () => before.arrived().length === 1);
    for (const component of components.splice(0).toReversed()) await component.stop();
    refuses = true;
    const { watchState, arrived } = await start();
    await until('the credentials are refused', () => watchState() === 'unauthorized');
    appendFileSync(log(), searchLine(1));
    await until('the next entry has arrived', () => arrived().length === 1);
    assert.deepEqual(arrived(), [1]);
  });
});
