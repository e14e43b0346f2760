import assert from 'node:assert/strict';
import protocolErrors from 'kafkajs/src/protocol/error.js';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { isPassing } from '../../../../../runtime/kafka/protocol/protocol-error.js';

describe('whether a request to Kafka may succeed later', () => {
  it('is yes while a coordinator is loaded, is not there, or has moved', () => {
    for (const code of [14, 15, 16])
      assert.ok(isPassing(protocolErrors.createErrorFromCode(code)), String(code));
    assert.ok(!isPassing(protocolErrors.createErrorFromCode(53)), 'an id that is not allowed stays so');
  });
  it('is yes while the endpoint of tokens is away, and no for other errors of ours', () => {
    assert.ok(
      isPassing(new TelltaleError('KAFKA_TOKEN_REFUSED', { url: 'https://idp', reason: 'HTTP 503' })),
    );
    assert.ok(!isPassing(new TelltaleError('TOPIC_MISSING', { topic: 'scoring.requests' })));
  });
});
