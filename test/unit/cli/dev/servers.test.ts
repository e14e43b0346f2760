import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { readConfig } from '../../../../runtime/config.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { pickFreePort } from '../../../../stack/ports.js';
import { openHome } from '../../../../cli/dev/home.js';
import { connectionVariables } from '../../../../cli/dev/banner.js';
import { backboneOf, requireFreePorts, withoutOwnServers } from '../../../../cli/dev/servers.js';
import { devConfig } from '../../../../cli/dev/settings.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const given = {
  KAFKA_BROKERS: 'kafka.example:9092',
  SCHEMA_REGISTRY_URL: 'http://registry.example',
  CLICKHOUSE_URL: 'http://clickhouse.example:8123',
};

describe('the servers of npm start', () => {
  const folder = temporaryFolder();
  const backbone = (environment: Readonly<Record<string, string>>) => {
    const home = openHome(folder());
    try {
      return backboneOf(readConfig(devConfig, environment), home, () => undefined);
    } finally {
      home.release();
    }
  };

  it('are all started if none is given', () => {
    const { ours, ...addresses } = backbone({
      KAFKA_PORT: '20001',
      CLICKHOUSE_PORT: '20002',
      REGISTRY_PORT: '20003',
    });
    assert.deepEqual(
      ours.map((server) => server.name),
      ['kafka', 'registry', 'clickhouse'],
    );
    assert.equal(addresses.brokers, '127.0.0.1:20001');
    assert.equal(addresses.clickhouseUrl, 'http://127.0.0.1:20002');
    assert.equal(addresses.registry.SCHEMA_REGISTRY_URL, 'http://127.0.0.1:20003/apis/ccompat/v7');
    assert.notEqual(addresses.registry.SCHEMA_REGISTRY_PASSWORD, '');
    assert.notEqual(addresses.writer.password, addresses.analyst.password);
  });

  it('are used and not started if they are given', () => {
    const { ours, brokers, registry, clickhouseUrl } = backbone(given);
    assert.deepEqual(ours, []);
    assert.deepEqual(Object.values(given), [brokers, registry.SCHEMA_REGISTRY_URL, clickhouseUrl]);
  });

  it('are started again in a shell that has read the dev.env of an earlier start', () => {
    const keys = { client: 'tt_a_b', agent: 'tt_c_d', metricsToken: 'm' };
    const devEnv = (started: ReturnType<typeof backbone>) => {
      const { brokers: kafka, registry, clickhouseUrl: clickhouse } = started;
      const [edge, agent, processors, sinks] = ['http://e', 'http://a', 'http://p', 'http://s'];
      const addresses = { edge, agent, processors, sinks, clickhouse, kafka };
      return connectionVariables({ ...addresses, registry: registry.SCHEMA_REGISTRY_URL }, keys, started);
    };
    const names = (environment: Readonly<Record<string, string>>) =>
      Object.keys(given).filter((name) => name in withoutOwnServers(environment));
    assert.deepEqual(names(devEnv(backbone({}))), []);
    assert.deepEqual(names(devEnv(backbone({ KAFKA_BROKERS: given.KAFKA_BROKERS }))), ['KAFKA_BROKERS']);
    assert.deepEqual(names(given), Object.keys(given));
  });

  it('use the given accounts if a ClickHouse is given', () => {
    const { writer, analyst, ours } = backbone({
      CLICKHOUSE_URL: given.CLICKHOUSE_URL,
      CLICKHOUSE_WRITER_USER: 'w',
      CLICKHOUSE_WRITER_PASSWORD: 'wp',
      CLICKHOUSE_USER: 'a',
      CLICKHOUSE_PASSWORD: 'ap',
    });
    assert.deepEqual([writer, analyst], [{ user: 'w', password: 'wp' }, { user: 'a', password: 'ap' }]); // prettier-ignore
    assert.deepEqual(
      ours.map((server) => server.name),
      ['kafka', 'registry'],
    );
  });

  it('need no free port if they are given', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const ports: Record<string, string> = { KAFKA_PORT: String(port) };
    for (const name of ['EDGE_PORT', 'PROCESSORS_PORT', 'SINKS_PORT', 'REGISTRY_PORT', 'CLICKHOUSE_PORT'])
      ports[name] = String(await pickFreePort());
    try {
      await assert.rejects(
        requireFreePorts(readConfig(devConfig, ports)),
        (error) => error instanceof TelltaleError && error.details['variable'] === 'KAFKA_PORT',
      );
      await requireFreePorts(readConfig(devConfig, { ...ports, KAFKA_BROKERS: given.KAFKA_BROKERS }));
    } finally {
      taken.close();
    }
  });
});
