import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfig } from '../../../../agent/config.js';
import { collectorsPart } from '../../../../agent/collectors/collectors-part.js';
import { liveConfig } from '../../../../agent/live-config.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { agentContext } from '../../../support/agent-parts.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the part that watches clusters', () => {
  const folder = temporaryFolder();

  it('warns of a member of integration.json that means nothing, with its place and not its value', async () => {
    const file = join(folder(), 'integration.json');
    const entry = { service: 'elasticsearch', host: 'es1', monitor: false, advanced: { maxIndizes: 54_321 } };
    writeFileSync(file, JSON.stringify(entry));
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (told: object) => warnings.push(JSON.stringify(told)) } as never;
    const config = liveConfig({ ...agentConfig.parse({ AGENT_PORT: 0 }), AGENT_INTEGRATION_FILE: file });
    const part = await collectorsPart.start(agentContext({ config, logger }));
    await part.stop();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /integration\.json:1:\d+ \/advanced\/maxIndizes is not known/);
    assert.doesNotMatch(warnings[0] ?? '', /54321/);
  });
});
