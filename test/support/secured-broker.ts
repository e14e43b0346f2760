import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kafkaServer } from '../../stack/kafka/kafka.js';
import { pickFreePort } from '../../stack/ports.js';
import type { Server } from '../../stack/server.js';
import { testCertificates } from './test-certificates.js';

/**
 * A real broker that requires authentication: one listener for SASL over TLS (every mechanism), one for client
 * certificates, and an authorizer that refuses everything without an ACL.
 */
export interface SecuredBroker {
  readonly server: Server;
  readonly saslAddress: string;
  readonly mtlsAddress: string;
  /** A superuser. */
  readonly admin: Readonly<Record<string, string>>;
  /** The settings of a user who signs in by SCRAM-SHA-512. */
  readonly userSettings: (user: string) => Readonly<Record<string, string>>;
  readonly files: CertificateFiles;
}

interface CertificateFiles {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

export interface SecuredBrokerOptions {
  /** Users who sign in by SCRAM; their passwords are made here. */
  readonly users: readonly string[];
}

const mechanisms = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN', 'OAUTHBEARER'];

/** Not started yet. */
export async function securedBroker({ users }: SecuredBrokerOptions): Promise<SecuredBroker> {
  const folder = resolve('.telltale-test', `secured-${process.pid}-${randomBytes(3).toString('hex')}`);
  mkdirSync(folder, { recursive: true });
  const [port, mtlsPort] = [await pickFreePort(), await pickFreePort()];
  const passwords = new Map(['admin', ...users].map((user) => [user, randomBytes(9).toString('base64url')]));
  const files = writeCertificates(folder);
  const server = kafkaServer({
    port,
    portVariable: 'nothing: the tests pick a port by themselves',
    dataFolder: join(folder, 'data'),
    logFolder: join(folder, 'logs'),
    scramUsers: [...passwords].flatMap(([user, password]) =>
      ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
        (mechanism) => `${mechanism}=[name=${user},password=${password}]`,
      ),
    ),
    properties: ({ controller }) => ({
      ...listeners({ port, mtlsPort, controller }),
      ...tls(folder),
      ...signIn(passwords),
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      // The broker connects to its controller unauthenticated; no listener for clients permits that.
      'super.users': 'User:ANONYMOUS;User:admin',
    }),
  });
  const userSettings = (user: string): Record<string, string> => ({
    KAFKA_BROKERS: `localhost:${port}`,
    KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
    KAFKA_SASL_USERNAME: user,
    KAFKA_SASL_PASSWORD: passwords.get(user) ?? '',
    KAFKA_TLS_CA_FILE: files.ca,
  });
  return {
    server,
    saslAddress: `localhost:${port}`,
    mtlsAddress: `localhost:${mtlsPort}`,
    admin: userSettings('admin'),
    userSettings,
    files,
  };
}

function writeCertificates(folder: string): CertificateFiles {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const { authority, server, clients } = testCertificates;
  write('broker.pem', server.key + server.certificate);
  write('clients-ca.pem', clients.authority);
  return {
    ca: write('ca.pem', authority),
    certificate: write('client.pem', clients.edge.certificate),
    key: write('client.key', clients.edge.key),
  };
}

function listeners(
  ports: Readonly<Record<'port' | 'mtlsPort' | 'controller', number>>,
): Record<string, string> {
  const clients = `SIGNED_IN://localhost:${ports.port},CERTIFIED://localhost:${ports.mtlsPort}`;
  return {
    listeners: `${clients},CONTROLLER://127.0.0.1:${ports.controller}`,
    'advertised.listeners': clients,
    'listener.security.protocol.map': 'SIGNED_IN:SASL_SSL,CERTIFIED:SSL,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'SIGNED_IN',
    'sasl.mechanism.inter.broker.protocol': 'SCRAM-SHA-512',
  };
}

function tls(folder: string): Record<string, string> {
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': join(folder, 'broker.pem'),
    'listener.name.certified.ssl.client.auth': 'required',
    'listener.name.certified.ssl.truststore.type': 'PEM',
    'listener.name.certified.ssl.truststore.location': join(folder, 'clients-ca.pem'),
    // The broker connects to itself by its own listener.
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': join(folder, 'ca.pem'),
    'ssl.principal.mapping.rules': 'RULE:^CN=(.*?)$/$1/',
  };
}

function signIn(passwords: ReadonlyMap<string, string>): Record<string, string> {
  const admin = `username="admin" password="${passwords.get('admin') ?? ''}"`;
  const plainUsers = [...passwords].map(([user, password]) => `user_${user}="${password}"`).join(' ');
  const jaas = (mechanism: string): string => `listener.name.signed_in.${mechanism}.sasl.jaas.config`;
  const scram = `org.apache.kafka.common.security.scram.ScramLoginModule required ${admin};`;
  return {
    'sasl.enabled.mechanisms': mechanisms.join(','),
    [jaas('scram-sha-512')]: scram,
    [jaas('scram-sha-256')]: scram,
    [jaas('plain')]:
      `org.apache.kafka.common.security.plain.PlainLoginModule required ${admin} ${plainUsers};`,
    // Kafka's validator for tests: it accepts unsigned tokens with any subject and expiry.
    [jaas('oauthbearer')]:
      'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="admin";',
  };
}
