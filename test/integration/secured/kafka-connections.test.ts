import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import kafkajs, { type Admin } from 'kafkajs';
import { readConfig } from '../../../runtime/config.js';
import { kafkaConfig } from '../../../runtime/kafka/client/config.js';
import { createKafka } from '../../../runtime/kafka/client/client.js';
import { requireKafka } from '../../../runtime/kafka/client/kafka-watch.js';
import { kafkaAccess, type KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { logEnd, openLog } from '../../../runtime/kafka/consume/log-access.js';
import { silentLogger } from '../../../runtime/logging.js';
import { connectedProducer } from '../../support/kafka.js';
import { securedBroker, type SecuredBroker } from '../../support/secured-broker.js';
import { testCertificates } from '../../support/test-certificates.js';
import { until } from '../../support/until.js';

const topic = 'test.secured';

describe('connections to a Kafka that requires authentication', () => {
  let broker: SecuredBroker;
  let admin: Admin;

  const accessBy = (settings: Readonly<Record<string, string>>): KafkaAccess =>
    kafkaAccess(readConfig(kafkaConfig, settings), 'test', silentLogger);

  /** Writes and reads with both kinds of client: kafkajs's own, and our clusters made of its parts. */
  const writesAndReads = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    const access = accessBy(settings);
    const producer = await connectedProducer(createKafka(access));
    const [written] = await producer.send({ topic, messages: [{ value: 'a record' }] });
    await producer.disconnect();
    const log = openLog(topic, access);
    await log.refresh();
    const ends = await log.offsets(new Map([[0, logEnd]]));
    await log.close();
    assert.ok(Number(ends.get(0)) > Number(written?.baseOffset));
  };

  before(async () => {
    broker = await securedBroker({ users: ['writer'] });
    await broker.server.start();
    admin = createKafka(accessBy(broker.admin)).admin();
    await admin.connect();
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 1 }] });
    const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
    await admin.createAcls({
      acl: ['writer', 'telltale-edge', 'telltale-renewed'].map((user) => ({
        principal: `User:${user}`,
        host: '*',
        operation: AclOperationTypes.ALL,
        permissionType: AclPermissionTypes.ALLOW,
        resourceType: AclResourceTypes.TOPIC,
        resourceName: topic,
        resourcePatternType: ResourcePatternTypes.LITERAL,
      })),
    });
  });
  after(async () => {
    await admin.disconnect();
    await broker.server.stop();
  });

  for (const mechanism of ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    it(`sign in by ${mechanism}, over TLS`, () =>
      writesAndReads({ ...broker.userSettings('writer'), KAFKA_SASL_MECHANISM: mechanism }));

  it('fail with a wrong password, and to a broker whose certificate authority they do not trust', async () => {
    const refused = async (settings: Readonly<Record<string, string>>): Promise<void> => {
      await assert.rejects(requireKafka(accessBy(settings)), { code: 'KAFKA_UNREACHABLE' });
    };
    await refused({ ...broker.userSettings('writer'), KAFKA_SASL_PASSWORD: 'wrong' });
    await refused({ ...broker.userSettings('writer'), KAFKA_TLS_CA_FILE: '' });
  });

  it('show a client certificate, and the new one once its files have changed', async () => {
    const { ca, certificate, key } = broker.files;
    const settings = {
      KAFKA_BROKERS: broker.mtlsAddress,
      KAFKA_SECURITY_PROTOCOL: 'SSL',
      KAFKA_TLS_CA_FILE: ca,
      KAFKA_TLS_CERTIFICATE_FILE: `${certificate}.renewed`,
      KAFKA_TLS_KEY_FILE: `${key}.renewed`,
    };
    copyFileSync(certificate, settings.KAFKA_TLS_CERTIFICATE_FILE);
    copyFileSync(key, settings.KAFKA_TLS_KEY_FILE);
    await writesAndReads(settings);

    const access = accessBy(settings);
    const shown = async (): Promise<string> => {
      const connection = access.security.openSocket(addressOf(broker.mtlsAddress), () => undefined);
      assert.ok('getCertificate' in connection);
      await new Promise((resolve) => connection.once('secureConnect', resolve));
      const { subject } = (connection.getCertificate as () => { subject: { CN: string } })();
      connection.destroy();
      return subject.CN;
    };
    assert.equal(await shown(), 'telltale-edge');
    const { renewed } = testCertificates.clients;
    writeFileSync(settings.KAFKA_TLS_CERTIFICATE_FILE, renewed.certificate);
    assert.equal(await shown(), 'telltale-edge', 'the certificate is not the one of the key yet');
    writeFileSync(settings.KAFKA_TLS_KEY_FILE, renewed.key);
    assert.equal(await shown(), 'telltale-renewed');
    await writesAndReads(settings);
  });

  describe('by OAUTHBEARER', () => {
    const tokens: string[] = [];
    let endpoint: HttpServer;
    let away = false;
    let settings: Record<string, string>;

    before(async () => {
      endpoint = createServer((request, response) => {
        request.resume();
        if (away) {
          response.writeHead(503).end();
          return;
        }
        const token = unsignedToken('writer', tokenSeconds);
        tokens.push(token);
        response.end(JSON.stringify({ access_token: token, expires_in: tokenSeconds }));
      });
      await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
      settings = {
        ...broker.userSettings('writer'),
        KAFKA_SASL_USERNAME: '',
        KAFKA_SASL_PASSWORD: '',
        KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
        KAFKA_OAUTH_TOKEN_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/token`,
        KAFKA_OAUTH_CLIENT_ID: 'telltale',
        KAFKA_OAUTH_CLIENT_SECRET: 'secret',
      };
    });
    after(() => endpoint.close());

    it('sign in with a token, and again with a new one before it expires', async () => {
      await writesAndReads(settings);
      const producer = await connectedProducer(createKafka(accessBy(settings)));
      const began = tokens.length;
      const send = () => producer.send({ topic, messages: [{ value: 'a record' }] });
      await until('the connection has signed in again', async () => {
        await send();
        return tokens.length > began;
      });
      await send();
      await producer.disconnect();
    });

    it('go on once the endpoint is back, after an outage that ended the session', async () => {
      const producer = await connectedProducer(createKafka(accessBy(settings)));
      const send = () => producer.send({ topic, messages: [{ value: 'a record' }] });
      await send();
      away = true;
      await until('the session has ended', () =>
        send().then(
          () => false,
          () => true,
        ),
      );
      away = false;
      await until('the producer writes again', () =>
        send().then(
          () => true,
          () => false,
        ),
      );
      await producer.disconnect();
    });
  });
});

/** kafkajs reauthenticates ten seconds before a session ends. */
const tokenSeconds = 13;

function addressOf(address: string): { host: string; port: number } {
  const [host = '', port = ''] = address.split(':');
  return { host, port: Number(port) };
}

function unsignedToken(subject: string, seconds: number): string {
  const now = Date.now() / 1_000;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: now, exp: now + seconds })}.`;
}
