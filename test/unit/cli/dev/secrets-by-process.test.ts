import assert from 'node:assert/strict';
import { configurationSections } from '../../../../cli/configuration.js';
import { allSecrets, environmentOf } from '../../../../cli/dev/secrets-by-process.js';

describe('the secrets of the processes of npm start', () => {
  it('have an owner each, so no process gets a new secret by default', () => {
    const variables = configurationSections.flatMap(({ section }) => Object.keys(section.shape));
    const secrets = variables.filter((name) => /PASSWORD|SECRET|TOKEN$|_KEY$|ANALYSTS/.test(name));
    assert.ok(secrets.length > 5);
    assert.deepEqual(
      secrets.filter((name) => !allSecrets.has(name)),
      [],
    );
  });

  it('are withheld from processes that do not need them, and nothing else is', () => {
    const everything = {
      PATH: '/bin',
      ES_PASSWORD: 'named by the user',
      CLICKHOUSE_WRITER_PASSWORD: 'w',
      CLICKHOUSE_PASSWORD: 'r',
      AGENT_API_KEY: 'a',
    };
    const kept = (process: Parameters<typeof environmentOf>[0]) =>
      Object.keys(environmentOf(process, everything));
    assert.deepEqual(kept('sinks'), ['PATH', 'ES_PASSWORD', 'CLICKHOUSE_WRITER_PASSWORD']);
    assert.deepEqual(kept('edge'), ['PATH', 'ES_PASSWORD', 'CLICKHOUSE_PASSWORD']);
    assert.deepEqual(kept('agent'), ['PATH', 'ES_PASSWORD', 'AGENT_API_KEY']);
    assert.deepEqual(kept('processors'), ['PATH', 'ES_PASSWORD', 'CLICKHOUSE_PASSWORD']);
  });
});
