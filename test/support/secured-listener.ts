import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testCertificates } from './test-certificates.js';

export interface CertificateFiles {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const mechanisms = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN', 'OAUTHBEARER'];

/** Certificates of a broker and of its clients, in the folder that `brokerTls` reads. */
export function writeCertificates(folder: string): CertificateFiles {
  mkdirSync(folder, { recursive: true });
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

/** The settings of a broker's own certificate, and of the authority that it trusts as a client. */
export function brokerTls(folder: string): Record<string, string> {
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': join(folder, 'broker.pem'),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': join(folder, 'ca.pem'),
  };
}

/** Users of the listener SIGNED_IN, by every mechanism; the broker itself is `admin`. */
export function signIn(passwords: ReadonlyMap<string, string>): Record<string, string> {
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

/** The same users for SCRAM, as `kafka-storage format --add-scram` takes them. */
export function scramUsers(passwords: ReadonlyMap<string, string>): readonly string[] {
  return [...passwords].flatMap(([user, password]) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map((mechanism) => `${mechanism}=[name=${user},password=${password}]`),
  );
}

/** The settings of a process that signs in over TLS. */
export function signedInSettings(
  brokers: readonly string[],
  user: string,
  password: string,
  { ca }: CertificateFiles,
): Readonly<Record<string, string>> {
  return {
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
    KAFKA_SASL_USERNAME: user,
    KAFKA_SASL_PASSWORD: password,
    KAFKA_TLS_CA_FILE: ca,
  };
}
