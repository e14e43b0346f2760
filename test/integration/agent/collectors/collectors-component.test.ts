import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentConfig } from '../../../../agent/config.js';
import { collectorsComponent } from '../../../../agent/collectors/collectors-component.js';
import type { WatchStatus } from '../../../../agent/collectors/watch-state.js';
import { liveConfig } from '../../../../agent/live-config.js';
import type { RunningComponent } from '../../../../agent/component.js';
import { parseSnapshot, sectionNames, type Snapshot } from '../../../../schemas/snapshots.js';
import { agentContext, memoryOutbox } from '../../../support/agent-components.js';
import { theElasticsearch } from '../../../support/elasticsearch.js';
import { until } from '../../../support/until.js';

describe('the collectors of an agent, at a real cluster (7.17)', () => {
  const outbox = memoryOutbox();
  let component: RunningComponent;
  const folder = mkdtempSync(join(tmpdir(), 'telltale-collectors-'));
  const file = join(folder, 'integration.json');
  let entry: object;

  const clusters = (): readonly WatchStatus[] => (component.status() as { clusters: WatchStatus[] }).clusters;
  const taken = (): readonly Snapshot[] => outbox.taken.flatMap(({ items }) => items as Snapshot[]);

  before(async () => {
    const node = await theElasticsearch();
    entry = { service: 'elasticsearch', host: '127.0.0.1', port: String(node.port) };
    await writeFile(file, JSON.stringify([entry, { ...entry, host: 'localhost' }]));
    const settings = agentConfig.parse({ AGENT_PORT: 0, AGENT_FOLDER: folder, AGENT_INTEGRATION_FILE: file });
    const config = liveConfig(settings);
    component = await collectorsComponent.start(agentContext({ config, outbox }));
    await until('a first cycle is over', () => taken().some(({ section }) => section === 'capabilities'));
  });

  after(async () => {
    await component.stop();
    await rm(folder, { recursive: true });
  });

  it('hand over every section once, in items that the edge takes', () => {
    const items = taken();
    const uuids = new Set(items.map(({ cluster_uuid }) => cluster_uuid));
    assert.equal(uuids.size, 1);
    for (const section of sectionNames) {
      // This build of Elasticsearch has no data streams.
      assert.equal(
        items.filter((item) => item.section === section).length,
        section === 'data_streams' ? 0 : 1,
        section,
      );
    }
    for (const item of items) {
      const parsed = parseSnapshot(JSON.parse(JSON.stringify(item)));
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
    }
  });

  it('watch a cluster once, however many addresses it has', async () => {
    await until('every address was tried', () => clusters().every(({ state }) => state !== 'starting'));
    assert.deepEqual(
      clusters()
        .map(({ state }) => state)
        .sort(),
      ['duplicate', 'watching'],
    );
  });

  it('say what cannot be collected, and why', () => {
    const said = taken().find(({ section }) => section === 'capabilities');
    assert.ok(said?.section === 'capabilities');
    const streams = said.body.sections.find(({ section }) => section === 'data_streams');
    assert.equal(streams?.state, 'missing');
    assert.match(streams.reason ?? '', /does not have the API/);
    assert.ok(said.body.sections.filter(({ state }) => state === 'ok').length >= 11);
  });

  it('keep the last valid settings while the file is invalid, and follow the file once it is valid', async () => {
    await writeFile(file, '{ "service": ');
    await sleep(1_500);
    assert.equal(clusters().length, 2);
    await writeFile(file, JSON.stringify({ ...entry, monitor: false }));
    await until('no cluster is watched', () => clusters().length === 0);
  });
});
