import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { kafkaServer } from '../../stack/kafka/kafka.js';
import { pickFreePort } from '../../stack/ports.js';
import type { Server } from '../../stack/server.js';
import {
  brokerTls,
  scramUsers,
  signedInSettings,
  signIn,
  writeCertificates,
  type CertificateFiles,
} from './secured-listener.js';

/**
 * A real broker that requires authentication, with one listener for SASL over TLS (every mechanism), one for
 * client certificates, and an authorizer that refuses everything without an ACL.
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

export interface SecuredBrokerOptions {
  /** Users who sign in by SCRAM, with generated passwords. */
  readonly users: readonly string[];
}

/** The broker is not started yet. */
export async function securedBroker({ users }: SecuredBrokerOptions): Promise<SecuredBroker> {
  const folder = resolve('.telltale-test', `secured-${process.pid}-${randomBytes(3).toString('hex')}`);
  const [port, mtlsPort] = [await pickFreePort(), await pickFreePort()];
  const passwords = new Map(['admin', ...users].map((user) => [user, randomBytes(9).toString('base64url')]));
  const files = writeCertificates(folder);
  const server = kafkaServer({
    port,
    portVariable: 'nothing: the tests pick a port by themselves',
    dataFolder: join(folder, 'data'),
    logFolder: join(folder, 'logs'),
    scramUsers: scramUsers(passwords),
    properties: ({ controller }) => ({
      ...listeners({ port, mtlsPort, controller }),
      ...brokerTls(folder),
      ...clientCertificates(folder),
      ...signIn(passwords),
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      // The broker connects to its controller unauthenticated, which no listener for clients permits.
      'super.users': 'User:ANONYMOUS;User:admin',
    }),
  });
  const userSettings = (user: string) =>
    signedInSettings([`localhost:${port}`], user, passwords.get(user) ?? '', files);
  return {
    server,
    saslAddress: `localhost:${port}`,
    mtlsAddress: `localhost:${mtlsPort}`,
    admin: userSettings('admin'),
    userSettings,
    files,
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

function clientCertificates(folder: string): Record<string, string> {
  return {
    'listener.name.certified.ssl.client.auth': 'required',
    'listener.name.certified.ssl.truststore.type': 'PEM',
    'listener.name.certified.ssl.truststore.location': join(folder, 'clients-ca.pem'),
    'ssl.principal.mapping.rules': 'RULE:^CN=(.*?)$/$1/',
  };
}
