import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentIdOf } from '../../../agent/agent-id.js';
import { agentConfig } from '../../../agent/config.js';
import type { ComponentReport } from '../../../agent/component.js';
import { startForwarder, type Forwarder } from '../../../agent/forwarder/forwarder.js';
import { liveConfig } from '../../../agent/live-config.js';
import { startReporter } from '../../../agent/reporter.js';
import type { AgentView } from '../../../http-edge/agent-reports/agent-view.js';
import { silentLogger } from '../../../runtime/logging.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { version } from '../../../runtime/version.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';
import { until } from '../../support/until.js';

const cluster = {
  ...{ endpoint: 'http://es1:9200', cluster_uuid: 'u1', cluster_name: 'production' },
  ...{ state: 'unreachable', reason: 'the cluster could not be asked' },
};
const said = new Map<string, ComponentReport>([
  ['events', {}],
  ['collectors', { problem: 'integration.json is not taken', clusters: [cluster] }],
]);

describe('an agent that reports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-reporter-'));
  let edge: EdgeInMemory;
  let forwarder: Forwarder;
  let reporter: { stop(): Promise<void> };
  let now = Date.now();

  const agents = async (token = edge.token): Promise<readonly AgentView[]> => {
    const answer = await edge.get('/api/v1/agents', { authorization: `Bearer ${token}` });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { agents: AgentView[] }).agents;
  };

  before(async () => {
    edge = await startEdgeInMemory({ clock: () => now * 1_000 });
    const config = liveConfig(
      agentConfig.parse({ AGENT_FOLDER: folder, AGENT_SERVER_URL: edge.url, AGENT_API_KEY: edge.token }),
    );
    forwarder = await startForwarder({ config, logger: silentLogger, metrics: createMetrics() });
    const agentId = await agentIdOf(folder);
    reporter = startReporter({
      ...{ config, agentId, forwarder, components: () => said, logger: silentLogger },
      hotThreads: () => Promise.resolve(undefined),
    });
    await until('it has reported', async () => (await agents()).length === 1);
  });
  after(async () => {
    await forwarder.stop();
    await edge.stop();
    rmSync(folder, { recursive: true });
  });

  it('is shown with its host, version, spool, components and clusters', async () => {
    const [agent] = await agents();
    assert.equal(agent?.agent_id, readFileSync(join(folder, 'agent-id'), 'utf8'));
    assert.equal(agent.host, hostname());
    assert.equal(agent.state, 'reporting');
    assert.equal(agent.last_seen_at, new Date(now).toISOString());
    assert.deepEqual([agent.version, agent.is_older_than_server], [version, false]);
    assert.equal(agent.spool.limit_bytes, agentConfig.parse({}).AGENT_SPOOL_BYTES);
    assert.equal(agent.spool.oldest_at, null);
    assert.deepEqual(agent.components, [
      { name: 'events', problem: null },
      { name: 'collectors', problem: 'integration.json is not taken' },
    ]);
    assert.deepEqual(agent.clusters, [cluster]);
  });

  it('keeps its id over a restart', async () => {
    assert.equal(await agentIdOf(folder), (await agents())[0]?.agent_id);
  });

  it('is seen by no other workspace', async () => {
    edge.ports.keys.set('other', keyRecord('other', 'theirs', ['read'], { workspace: 'others' }));
    assert.deepEqual(await agents('tt_other_theirs'), []);
  });

  it('needs a key of scope agent to report, and one of scope read to be listed', async () => {
    edge.ports.keys.set('events', keyRecord('events', 'only', ['events']));
    const authorization = 'Bearer tt_events_only';
    assert.equal((await edge.get('/api/v1/agents', { authorization })).status, 403);
    assert.equal((await edge.post('/api/v1/agents', {}, { authorization })).status, 403);
  });

  it('is told which member of a report is wrong', async () => {
    const answer = await edge.post('/api/v1/agents', { host: 7 });
    assert.equal(answer.status, 422);
    const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
    assert.ok(errors.some(({ pointer }) => pointer === '/host'));
  });

  it('is silent once three reports are overdue', async () => {
    now += 91_000;
    assert.equal((await agents())[0]?.state, 'silent');
  });

  it('says that it stops, and is then stopped and never silent', async () => {
    await reporter.stop();
    assert.equal((await agents())[0]?.state, 'stopped');
    now += 3_600_000;
    assert.equal((await agents())[0]?.state, 'stopped');
  });

  it('is forgotten after a week', async () => {
    now += 8 * 86_400_000;
    assert.deepEqual(await agents(), []);
  });
});
