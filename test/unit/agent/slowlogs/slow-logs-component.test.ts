import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfig } from '../../../../agent/config.js';
import { liveConfig } from '../../../../agent/live-config.js';
import { pageNamed } from '../../../../agent/slowlogs/ledger/ledger-state.js';
import { emptyTail } from '../../../../agent/slowlogs/tail/positions.js';
import { createSlowLogsComponent } from '../../../../agent/slowlogs/slow-logs-component.js';
import type { SlowLogStatus } from '../../../../agent/slowlogs/slow-log-watch.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { agentContext, memoryOutbox } from '../../../support/agent-components.js';
import { clusterUuid, numbersIn, searchLine } from '../../../support/slow-logs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

describe('the component that reads slow logs', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('reports what it cannot read as diagnostics, and waits for a cluster that is down', async () => {
    const file = join(folder(), 'integration.json');
    const slowlog = { enabled: true, searchLogPath: join(folder(), 'no.json') };
    writeFileSync(file, JSON.stringify({ service: 'elasticsearch', host: '127.0.0.1', port: '1', slowlog }));
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const context = agentContext({ config });
    const component = await createSlowLogsComponent(20).start(context);
    const notes = (): string =>
      context.diagnostics.of({ index: 0, url: 'http://127.0.0.1:1' }).messages.join();
    await until('a collection has ended', () => notes() !== '');
    assert.match(notes(), /slow logs: there is no slow log at .*no\.json/);
    assert.match(notes(), /cluster is not identified yet/);
    writeFileSync(file, JSON.stringify({ service: 'elasticsearch', host: '127.0.0.1', port: '1' }));
    await until('nothing is said of logs that are not read any more', () => notes() === '');
    await component.stop();
  });

  it('reads no slow logs, and says so, if the ledger cannot be read', async () => {
    const file = join(folder(), 'integration.json');
    const slowlog = { enabled: false, searchLogPath: join(folder(), 'no.json') };
    const entry = { service: 'elasticsearch', host: '127.0.0.1', port: '1' };
    writeFileSync(file, JSON.stringify({ ...entry, slowlog }));
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const errors: string[] = [];
    const logger = Object.assign(Object.create(silentLogger) as typeof silentLogger, {
      error: (_: unknown, message: string) => void errors.push(message),
    });
    const component = await createSlowLogsComponent(20).start(agentContext({ config, logger }));
    writeFileSync(join(folder(), 'slow-logs', 'ledger.json'), '{"tails":');
    writeFileSync(file, JSON.stringify({ ...entry, slowlog: { ...slowlog, enabled: true } }));
    await until('the changed file is refused', () => errors.length > 0);
    const { clusters } = component.status() as { clusters: object[] };
    await component.stop();
    assert.deepEqual(errors.slice(0, 1), ['no slow logs are read until it is repaired']);
    assert.deepEqual(clusters, []);
  });

  it('does not affect other components if the ledger is damaged at the start, and says so', async () => {
    const file = join(folder(), 'integration.json');
    const entry = { service: 'elasticsearch', host: '127.0.0.1', port: '1', slowlog: { enabled: true } };
    writeFileSync(file, JSON.stringify(entry));
    mkdirSync(join(folder(), 'slow-logs'));
    const path = join(folder(), 'slow-logs', 'ledger.json');
    writeFileSync(path, '');
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const context = agentContext({ config });
    const component = await createSlowLogsComponent(20).start(context);
    const { clusters, problem } = component.status() as { clusters: object[]; problem: string };
    await component.stop();
    assert.deepEqual(clusters, []);
    assert.ok(problem.includes(path) && problem.includes('damaged'), problem);
    const notes = context.diagnostics.of({ index: 0, url: 'http://127.0.0.1:1' }).messages.join();
    assert.ok(notes.startsWith('slow logs: ') && notes.includes(path), notes);
  });

  it('continues once the ledger is repaired, and stops reporting the damage', async () => {
    const file = join(folder(), 'integration.json');
    const slowlog = { enabled: true, searchLogPath: join(folder(), 'no.json') };
    const entry = { service: 'elasticsearch', host: '127.0.0.1', port: '1' };
    writeFileSync(file, JSON.stringify({ ...entry, slowlog }));
    mkdirSync(join(folder(), 'slow-logs'));
    const ledger = join(folder(), 'slow-logs', 'ledger.json');
    writeFileSync(ledger, '{');
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const errors: unknown[] = [];
    const logger = Object.assign(Object.create(silentLogger) as typeof silentLogger, {
      error: (error: unknown) => void errors.push(error),
    });
    const context = agentContext({ config, logger });
    const component = await createSlowLogsComponent(20).start(context);
    const notes = (): string =>
      context.diagnostics.of({ index: 0, url: 'http://127.0.0.1:1' }).messages.join();
    const problem = (): string | null => (component.status() as { problem: string | null }).problem;
    try {
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.match(notes(), /damaged/);
      assert.equal(errors.length, 1, 'it is logged once, however often it is tried');
      writeFileSync(ledger, JSON.stringify({ tails: {}, intent: null }));
      await until('the logs are looked for', () => notes().includes('there is no slow log at'));
      assert.ok(!notes().includes('damaged'), notes());
      assert.equal(problem(), null);
    } finally {
      await component.stop();
    }
  });

  it('stops reporting a damaged ledger once no logs are to be read', async () => {
    const file = join(folder(), 'integration.json');
    const entry = { service: 'elasticsearch', host: '127.0.0.1', port: '1' };
    writeFileSync(file, JSON.stringify({ ...entry, slowlog: { enabled: true } }));
    mkdirSync(join(folder(), 'slow-logs'));
    writeFileSync(join(folder(), 'slow-logs', 'ledger.json'), '{');
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const context = agentContext({ config });
    const component = await createSlowLogsComponent(20).start(context);
    const notes = (port: number): string =>
      context.diagnostics.of({ index: 0, url: `http://127.0.0.1:${port}` }).messages.join();
    try {
      writeFileSync(file, JSON.stringify({ ...entry, port: '2', slowlog: { enabled: true } }));
      await until('it is said of the entry that is there instead', () => notes(2).includes('damaged'));
      assert.equal(notes(1), '');
      writeFileSync(file, JSON.stringify({ ...entry, port: '2' }));
      await until('nothing is said', () => notes(2) === '');
    } finally {
      await component.stop();
    }
  });

  it('forgets clusters that are no longer configured and whose files are long gone, and keeps the others', async () => {
    const file = join(folder(), 'integration.json');
    const slowlog = { enabled: true, searchLogPath: join(folder(), 'no.json') };
    writeFileSync(file, JSON.stringify({ service: 'elasticsearch', host: '127.0.0.1', port: '1', slowlog }));
    mkdirSync(join(folder(), 'slow-logs'));
    const ledger = join(folder(), 'slow-logs', 'ledger.json');
    const [named, gone] = [pageNamed('http://127.0.0.1:1'), pageNamed('http://127.0.0.1:2')];
    const tails = { [named]: { since: 1, leftAt: 1 }, [gone]: { since: 1, leftAt: 1 } };
    writeFileSync(ledger, JSON.stringify({ tails, intent: null }));
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const component = await createSlowLogsComponent(20).start(agentContext({ config }));
    const kept = (): object => (JSON.parse(readFileSync(ledger, 'utf8')) as { tails: object }).tails;
    await until('one is forgotten', () => !(gone in kept()));
    await component.stop();
    assert.deepEqual(kept(), { [named]: { ...emptyTail, since: 1 } });
  });

  it('reads the logs of a cluster for one entry of integration.json, even if two have the same endpoint', async () => {
    const file = join(folder(), 'integration.json');
    const searchLogPath = join(folder(), 'search.json');
    writeFileSync(searchLogPath, [0, 1, 2].map((number) => searchLine(number)).join(''));
    const entry = {
      service: 'elasticsearch',
      host: '127.0.0.1',
      port: '1',
      slowlog: { enabled: true, searchLogPath, indexingLogPath: join(folder(), 'no.json') },
    };
    writeFileSync(file, JSON.stringify([entry, entry]));
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const outbox = memoryOutbox();
    const context = agentContext({ config, outbox });
    const shop = { uuid: clusterUuid, name: 'shop', version: '7.17.15', major: 7 };
    for (const index of [0, 1])
      context.identities.offer({ index, url: 'http://127.0.0.1:1' }, () => Promise.resolve(shop));
    const component = await createSlowLogsComponent(20).start(context);
    const statuses = (): readonly SlowLogStatus[] =>
      (component.status() as { clusters: readonly SlowLogStatus[] }).clusters;
    await until(
      'one has read them, and the other says so',
      () =>
        statuses().some(({ taken }) => taken === 3) &&
        statuses().some(({ notes }) => /leads to the same cluster/.test(notes.join())),
    );
    const notes = [0, 1].map((index) =>
      context.diagnostics.of({ index, url: 'http://127.0.0.1:1' }).messages.join(),
    );
    await component.stop();
    assert.match(
      notes.join(),
      /^,?slow logs: there is no slow log at [^,]*no\.json,?$/,
      'one reads them, and says what it misses',
    );
    assert.deepEqual(numbersIn(outbox), [0, 1, 2]);
  });
});
