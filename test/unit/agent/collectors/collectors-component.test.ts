import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentConfig } from '../../../../agent/config.js';
import { collectorsComponent } from '../../../../agent/collectors/collectors-component.js';
import { liveConfig } from '../../../../agent/live-config.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { agentContext } from '../../../support/agent-components.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

describe('the component that watches clusters', () => {
  const folder = temporaryFolder();

  it('warns of an unknown member of integration.json with its place, not its value', async () => {
    const file = join(folder(), 'integration.json');
    const entry = { service: 'elasticsearch', host: 'es1', monitor: false, advanced: { maxIndizes: 54_321 } };
    writeFileSync(file, JSON.stringify(entry));
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (told: object) => warnings.push(JSON.stringify(told)) } as never;
    const config = liveConfig({ ...agentConfig.parse({ AGENT_PORT: 0 }), AGENT_INTEGRATION_FILE: file });
    const component = await collectorsComponent.start(agentContext({ config, logger }));
    await component.stop();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /integration\.json:1:\d+ \/advanced\/maxIndizes is not known/);
    assert.doesNotMatch(warnings[0] ?? '', /54321/);
  });

  it('shows in its status that a changed file was not taken, until one is', async () => {
    const path = join(folder(), 'integration.json');
    const write = (value: unknown): void => writeFileSync(path, JSON.stringify(value));
    write({ service: 'elasticsearch', host: '127.0.0.1', port: '1' });
    const config = liveConfig({ ...agentConfig.parse({ AGENT_PORT: 0 }), AGENT_INTEGRATION_FILE: path });
    const component = await collectorsComponent.start(agentContext({ config }));
    const status = (): {
      readonly clusters: readonly { readonly notes: readonly string[] }[];
      readonly problem: string | null;
    } => component.status() as never;
    try {
      assert.equal(status().problem, null);
      assert.deepEqual(status().clusters[0]?.notes, [
        'slow logs: this agent reads none, as slowlog.enabled is false in its integration.json',
      ]);
      write([null]);
      await until('it is refused', () => status().problem !== null);
      assert.match(status().problem ?? '', /not valid.*integration\.json:1:2 \/0 must be an object/s);
      assert.equal(status().clusters.length, 1, 'what it said before goes on');
      write({ service: 'elasticsearch', host: '127.0.0.2', port: '1' });
      await until('it is taken', () => status().problem === null);
    } finally {
      await component.stop();
    }
  });

  it('follows the settings to another file, and that file from then on', async () => {
    const write = (name: string, ...hosts: readonly string[]): string => {
      const path = join(folder(), name);
      const entries = hosts.map((host) => ({ service: 'elasticsearch', host, port: '1' }));
      writeFileSync(path, JSON.stringify(entries));
      return path;
    };
    const first = write('first.json', '127.0.0.1');
    const settings = { ...agentConfig.parse({ AGENT_PORT: 0 }), AGENT_INTEGRATION_FILE: first };
    const config = liveConfig(settings);
    const component = await collectorsComponent.start(agentContext({ config }));
    const endpoints = (): readonly string[] =>
      (component.status() as { clusters: readonly { endpoint: string }[] }).clusters.map(
        ({ endpoint }) => endpoint,
      );
    const untilWatched = (...wanted: readonly string[]): Promise<void> =>
      until(`${wanted.join()} are watched`, () => endpoints().join() === wanted.join());
    try {
      await untilWatched('http://127.0.0.1:1');
      const second = write('second.json', '127.0.0.2', '127.0.0.3');
      config.set({ ...settings, AGENT_INTEGRATION_FILE: second });
      await untilWatched('http://127.0.0.2:1', 'http://127.0.0.3:1');
      write('second.json', '127.0.0.4');
      await untilWatched('http://127.0.0.4:1');
      write('first.json', '127.0.0.5', '127.0.0.6');
      await sleep(1_200); // longer than the pause between two checks of a file
      assert.deepEqual(endpoints(), ['http://127.0.0.4:1']);
    } finally {
      await component.stop();
    }
  });
});
