import assert from 'node:assert/strict';
import { readConfig } from '../../../../../runtime/config.js';
import { kafkaConfig } from '../../../../../runtime/kafka/client/config.js';

describe('the settings of secured connections to Kafka', () => {
  const accepted = (environment: Record<string, string>): void =>
    assert.doesNotThrow(() => readConfig(kafkaConfig, environment));
  const refused = (environment: Record<string, string>, why: RegExp): void => {
    assert.throws(() => readConfig(kafkaConfig, environment), why);
  };
  const user = { KAFKA_SASL_USERNAME: 'edge', KAFKA_SASL_PASSWORD: 'secret' };

  it('are none by default', () => {
    assert.equal(readConfig(kafkaConfig, {}).KAFKA_SECURITY_PROTOCOL, 'PLAINTEXT');
  });

  it('name a user for PLAIN and SCRAM, and a client for OAUTHBEARER', () => {
    const scram = { KAFKA_SECURITY_PROTOCOL: 'SASL_SSL' };
    accepted({ ...scram, ...user });
    refused(scram, /KAFKA_SASL_USERNAME: is needed for SCRAM-SHA-512[^]*KAFKA_SASL_PASSWORD: is needed/);
    refused(
      { ...scram, ...user, KAFKA_SASL_MECHANISM: 'OAUTHBEARER' },
      /KAFKA_OAUTH_TOKEN_URL: is needed for OAUTHBEARER/,
    );
  });

  it('are refused if they would not be used, so nobody mistakes a plain connection for a secured one', () => {
    refused(user, /KAFKA_SASL_PASSWORD: is not used with KAFKA_SECURITY_PROTOCOL=PLAINTEXT/);
    refused({ KAFKA_TLS_CA_FILE: 'ca.pem' }, /KAFKA_TLS_CA_FILE: is not used/);
  });

  it('need a certificate and its key together', () => {
    const tls = { KAFKA_SECURITY_PROTOCOL: 'SSL' };
    accepted({ ...tls, KAFKA_TLS_CERTIFICATE_FILE: 'c.pem', KAFKA_TLS_KEY_FILE: 'k.pem' });
    refused({ ...tls, KAFKA_TLS_CERTIFICATE_FILE: 'c.pem' }, /KAFKA_TLS_KEY_FILE: is needed for mTLS/);
  });
});
