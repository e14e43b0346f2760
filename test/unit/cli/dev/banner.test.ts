import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { banner, connectionVariables, curl } from '../../../../cli/dev/banner.js';
import { writeEnvFile } from '../../../../cli/dev/env-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const addresses = {
  edge: 'http://127.0.0.1:8080',
  agent: 'http://127.0.0.1:3774',
  processors: 'http://127.0.0.1:8090',
  sinks: 'http://127.0.0.1:8091',
  clickhouse: 'http://127.0.0.1:8123',
  kafka: '127.0.0.1:9092',
  registry: 'http://127.0.0.1:8081/apis/ccompat/v7',
};

const link = 'http://x/#link=y';

describe('what npm start prints', () => {
  const folder = temporaryFolder();

  it('names every address, the log folder and dev.env', () => {
    const text = banner(addresses, { envFile: '/x/dev.env', logs: '/x/logs' }, 'tt_a_b', link);
    for (const where of [...Object.values(addresses), '/x/dev.env', '/x/logs', link])
      assert.ok(text.includes(where));
  });

  it('shows an API key only if it is new', () => {
    const where = { envFile: '/x/dev.env', logs: '/x/logs' };
    assert.ok(banner(addresses, where, 'tt_a_b', link).includes('tt_a_b'));
    assert.ok(!/\btt_/.test(banner(addresses, where, undefined, link)));
  });

  it('has a curl command that can be pasted into a shell, with a JSON body', () => {
    const envFile = join(folder(), "dev's.env");
    writeEnvFile(envFile, { TELLTALE_API_KEY: 'tt_a_b' }, 'for this test');
    const shell = curl(addresses.edge, envFile).replace('curl', `printf '%s\\n'`);
    const args = execFileSync('/bin/sh', ['-c', shell], { encoding: 'utf8' }).trimEnd().split('\n');
    assert.ok(args.includes('http://127.0.0.1:8080/api/v1/monitoring/metrics/text-metrics'));
    assert.ok(args.includes('Authorization: Bearer tt_a_b'));
    const body = JSON.parse(args.at(-1) ?? '') as { prompt: string };
    assert.ok(body.prompt.length > 0);
  });

  it('gives dev.env all that a client needs, and the analysts rather than the writer', () => {
    const analyst = { user: 'analyst', password: 'p' };
    const keys = { client: 'tt_a_b', agent: 'tt_c_d', metricsToken: 'm' };
    const workspaceAnalyst = { user: 'analyst_default', password: 'q' };
    const registry = {
      SCHEMA_REGISTRY_URL: addresses.registry,
      SCHEMA_REGISTRY_USER: 'telltale',
      SCHEMA_REGISTRY_PASSWORD: 'r',
    };
    const variables = connectionVariables(addresses, keys, { analyst, workspaceAnalyst, registry, ours: [] });
    assert.deepEqual(Object.keys(variables), [
      'TELLTALE_URL',
      'TELLTALE_AGENT_URL',
      'TELLTALE_API_KEY',
      'TELLTALE_AGENT_API_KEY',
      'METRICS_TOKEN',
      'KAFKA_BROKERS',
      'SCHEMA_REGISTRY_URL',
      'SCHEMA_REGISTRY_USER',
      'SCHEMA_REGISTRY_PASSWORD',
      'CLICKHOUSE_URL',
      'CLICKHOUSE_USER',
      'CLICKHOUSE_PASSWORD',
      'CLICKHOUSE_WORKSPACE_USER',
      'CLICKHOUSE_WORKSPACE_PASSWORD',
      'TELLTALE_OWN_SERVERS',
    ]);
    assert.equal(variables['CLICKHOUSE_USER'], 'analyst');
    const withoutOne = connectionVariables(addresses, keys, { analyst, registry, ours: [] });
    assert.ok(!('CLICKHOUSE_WORKSPACE_USER' in withoutOne));
  });
});
