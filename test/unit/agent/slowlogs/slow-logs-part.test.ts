import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentConfig } from '../../../../agent/config.js';
import { liveConfig } from '../../../../agent/live-config.js';
import { createSlowLogsPart } from '../../../../agent/slowlogs/slow-logs-part.js';
import { agentContext } from '../../../support/agent-parts.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the part that reads slow logs', () => {
  const folder = temporaryFolder();

  it('tells the capabilities of a cluster what it can not read, and waits for a cluster that is away', async () => {
    const file = join(folder(), 'integration.json');
    const slowlog = { enabled: true, searchLogPath: join(folder(), 'no.json') };
    writeFileSync(file, JSON.stringify({ service: 'elasticsearch', host: '127.0.0.1', port: '1', slowlog }));
    const config = liveConfig(agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: file }));
    const context = agentContext({ config });
    const part = await createSlowLogsPart(20).start(context);
    const notes = (): string => context.notes.of('http://127.0.0.1:1').join();
    for (let waited = 0; notes() === '' && waited < 10_000; waited += 20) await sleep(20);
    await part.stop();
    assert.match(notes(), /slow logs: there is no slow log at .*no\.json/);
    assert.match(notes(), /has not answered yet/);
  });
});
