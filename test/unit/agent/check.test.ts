import assert from 'node:assert/strict';
import { checkAgent } from '../../../agent/check.js';
import { agentConfig, type AgentConfig } from '../../../agent/config.js';
import type { AgentComponent } from '../../../agent/component.js';
import { components } from '../../../agent/components.js';
import { refusal, StubServer, type StubAnswer } from '../../support/stub-server.js';

const component: AgentComponent = {
  name: 'a component',
  start: () => Promise.reject(new Error('a check starts nothing')),
  check: () => Promise.resolve({ does: ['watches a star'], problems: ['stars.json: /0: is no star'] }),
};

describe('the check of an agent', () => {
  const server = new StubServer();
  before(() => server.start());
  after(() => server.stop());

  const config = (given: Partial<AgentConfig>): AgentConfig => ({
    ...agentConfig.parse({ AGENT_SERVER_URL: server.url, AGENT_API_KEY: 'tt_a_b' }),
    ...given,
  });
  const obstacle = async (answer: StubAnswer): Promise<string | undefined> => {
    server.asked = () => answer;
    return (await checkAgent(config({}), [])).server;
  };

  it('says what its components would do and what is wrong with them, and starts nothing', async () => {
    const { does, problems } = await checkAgent(config({ AGENT_API_KEY: '' }), [component]);
    assert.ok(does.includes('watches a star'));
    assert.ok(does.includes('keeps at most 1024 MiB in .telltale/data/agent'), does.join());
    assert.deepEqual(problems, ['stars.json: /0: is no star']);
  });

  it('says what each component of the agent would do', async () => {
    const { does } = await checkAgent(config({ AGENT_API_KEY: '' }), components);
    for (const what of [/custom events/, /OTLP\/JSON traces/])
      assert.ok(
        does.some((line) => what.test(line)),
        String(what),
      );
  });

  it('tells a good key from a bad one, and a server from something else', async () => {
    assert.equal(await obstacle(server.asked('events')), undefined);
    assert.match((await obstacle({ status: 401 })) ?? '', /refuses the API key/);
    assert.match((await obstacle({ status: 403 })) ?? '', /lacks the scope/);
    for (const status of [400, 404])
      assert.match((await obstacle({ status })) ?? '', /is not a Telltale server/);
    const broken = refusal('malformed-request', 'This is not valid HTTP/1.1.');
    assert.match((await obstacle(broken)) ?? '', /status 400/);
  });

  it('says if the server cannot be reached, or if there is no API key', async () => {
    const nobody = await checkAgent(config({ AGENT_SERVER_URL: 'http://127.0.0.1:9' }), []);
    assert.match(nobody.server ?? '', /cannot be reached/);
    assert.match((await checkAgent(config({ AGENT_API_KEY: '' }), [])).server ?? '', /there is no API key/);
  });

  it('warns of an address that other hosts can reach without a token', async () => {
    const open = await checkAgent(config({ AGENT_HOST: '0.0.0.0' }), []);
    assert.ok(open.does.some((line) => line.includes('set AGENT_TOKEN')));
    const closed = await checkAgent(config({ AGENT_HOST: '0.0.0.0', AGENT_TOKEN: 'x' }), []);
    assert.ok(!closed.does.some((line) => line.includes('set AGENT_TOKEN')));
  });
});
