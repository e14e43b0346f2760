import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfig } from '../../../../agent/config.js';
import { liveConfig } from '../../../../agent/live-config.js';
import type { IntegrationEntry } from '../../../../agent/diagnostics.js';
import type { RunningComponent } from '../../../../agent/component.js';
import { createSlowLogsComponent } from '../../../../agent/slowlogs/slow-logs-component.js';
import type { SlowLogStatus } from '../../../../agent/slowlogs/slow-log-watch.js';
import { agentContext, memoryOutbox } from '../../../support/agent-components.js';
import { clusterUuid, numbersIn, searchLine } from '../../../support/slow-logs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const shop = { uuid: clusterUuid, name: 'shop', version: '7.17.15', major: 7 };
const other = { ...shop, uuid: 'QPqtMNDPRMSUuCkhIX8ZPZ', name: 'other' };

describe('the logs of a cluster that several entries of integration.json lead to', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let component: RunningComponent;
  let said: (entry: IntegrationEntry) => readonly string[];
  afterEach(() => component.stop());

  /** Starts with one entry per cluster; tests can swap clusters. All read the same log, or each its own. */
  async function start(leadTo: readonly (typeof shop)[], logs: readonly string[] = []) {
    const file = join(folder(), 'integration.json');
    const entries = leadTo.map((_, at) => {
      const path = logs[at] ?? log();
      const slowlog = { enabled: true, searchLogPath: path, indexingLogPath: path };
      return { service: 'elasticsearch', host: '127.0.0.1', port: `${at + 1}`, slowlog };
    });
    writeFileSync(file, JSON.stringify(entries));
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const outbox = memoryOutbox();
    const context = agentContext({ config, outbox });
    for (const index of leadTo.keys())
      context.identities.offer({ index, url: `http://127.0.0.1:${index + 1}` }, () =>
        Promise.resolve(leadTo[index] ?? null),
      );
    component = await createSlowLogsComponent(20).start(context);
    said = (entry) => context.diagnostics.of(entry).messages;
    return outbox;
  }
  const log = (): string => join(folder(), 'search.json');
  const statuses = (): readonly SlowLogStatus[] =>
    (component.status() as { clusters: readonly SlowLogStatus[] }).clusters;

  it('are read on for another entry once the first leads to another cluster', async () => {
    writeFileSync(log(), searchLine(0));
    const leadTo = [shop, shop];
    const outbox = await start(leadTo);
    const reads = (uuid: string): boolean => statuses().some(({ cluster_uuid }) => cluster_uuid === uuid);
    const waits = (): boolean => statuses().some(({ notes }) => /leads to the same/.test(notes.join()));
    await until('one has read them, and the other says so', () => reads(shop.uuid) && waits());
    leadTo[statuses().findIndex(({ cluster_uuid }) => cluster_uuid !== null)] = other;
    await until('the first has met the other cluster', () => reads(other.uuid));
    appendFileSync(log(), searchLine(1));
    await until('what was logged since has arrived', () => numbersIn(outbox).length === 2, 10_000);
    assert.deepEqual(numbersIn(outbox), [0, 1]);
  });

  it('cause a diagnostic about the unread ones if the entries name different logs', async () => {
    writeFileSync(log(), searchLine(0));
    writeFileSync(join(folder(), 'beside.json'), searchLine(1));
    const outbox = await start([shop, shop], [log(), join(folder(), 'beside.json')]);
    const notes = (): readonly string[] =>
      [0, 1].flatMap((index) => said({ index, url: `http://127.0.0.1:${index + 1}` }));
    const unread = /1 slow log like \S+\.json is not read.*slowlog\.logDirectories/;
    await until('the other is told', () => notes().some((note) => unread.test(note)));
    await until('one of the logs was read', () => numbersIn(outbox).length > 0);
    assert.equal(notes().length, 1);
    assert.equal(numbersIn(outbox).length, 1);
  });

  it('cause no diagnostic if the entries name the same logs', async () => {
    writeFileSync(log(), searchLine(0));
    const outbox = await start([shop, shop]);
    await until('they were read', () => numbersIn(outbox).length === 1);
    await until('the other waits', () =>
      statuses().some(({ notes }) => /leads to the same/.test(notes.join())),
    );
    assert.deepEqual(
      [0, 1].flatMap((index) => said({ index, url: `http://127.0.0.1:${index + 1}` })),
      [],
    );
  });
});
