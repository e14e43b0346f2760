import assert from 'node:assert/strict';
import protocolErrors from 'kafkajs/src/protocol/error.js';
import kafkajs from 'kafkajs';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { isPassing, tryWhilePassing, bugIn } from '../../../../../runtime/kafka/protocol/kafka-error.js';
import { PartitionLost } from '../../../../../runtime/sink/environment.js';

describe('whether a request to Kafka can succeed later', () => {
  it('is yes while a coordinator is loading, unavailable or moved', () => {
    for (const code of [14, 15, 16])
      assert.ok(isPassing(protocolErrors.createErrorFromCode(code)), String(code));
    assert.ok(!isPassing(protocolErrors.createErrorFromCode(53)), 'an id that is not allowed stays so');
  });
  it('is yes while the token endpoint is down, and no for other errors of ours', () => {
    assert.ok(
      isPassing(new TelltaleError('KAFKA_TOKEN_REFUSED', { url: 'https://idp', reason: 'HTTP 503' })),
    );
    assert.ok(!isPassing(new TelltaleError('TOPIC_MISSING', { topic: 'scoring.requests' })));
  });
});

const passing = protocolErrors.createErrorFromCode(5);
const lasting = protocolErrors.createErrorFromCode(53);

describe('a request to Kafka that is tried again', () => {
  let tries = 0;
  const failing = (failures: number, error: Error) => async (): Promise<string> => {
    tries += 1;
    if (tries <= failures) throw error;
    return Promise.resolve('answered');
  };
  const beforeNext = (): Promise<void> => Promise.resolve();
  beforeEach(() => (tries = 0));

  it('gives the first answer, after transient errors', async () => {
    assert.equal(await tryWhilePassing(failing(3, passing), { retryForMs: 60_000, beforeNext }), 'answered');
    assert.equal(tries, 4);
  });
  it('fails at once with a permanent error', async () => {
    await assert.rejects(tryWhilePassing(failing(1, lasting), { retryForMs: 60_000, beforeNext }), lasting);
    assert.equal(tries, 1);
  });
  it('fails with the last error once its time is over and it had its minimum number of tries', async () => {
    const patience = { retryForMs: -1, beforeNext };
    await assert.rejects(tryWhilePassing(failing(9, passing), patience), passing);
    assert.equal(tries, 1);
    tries = 0;
    await assert.rejects(tryWhilePassing(failing(9, passing), { ...patience, leastTries: 4 }), passing);
    assert.equal(tries, 4);
  });
  it('is not tried again once nobody waits for it', async () => {
    const closing = new AbortController();
    const patience = {
      retryForMs: 60_000,
      closed: closing.signal,
      beforeNext: () => {
        closing.abort();
        return Promise.resolve();
      },
    };
    await assert.rejects(tryWhilePassing(failing(9, passing), patience), { name: 'AbortError' });
    assert.equal(tries, 1);
  });
});

describe('an error in a loop', () => {
  it('is waited out if an outside cause explains it', () => {
    for (const error of [
      new kafkajs.KafkaJSConnectionError('closed', {}),
      new TelltaleError('APPEND_FAILED', { topic: 't', reason: 'r' }),
      new PartitionLost(),
    ])
      assert.equal(bugIn('stage', error), undefined);
  });

  it('ends the process if none does, and keeps its cause', () => {
    const cause = new TypeError('x is undefined');
    const bug = bugIn('stage', cause);
    assert.equal(bug?.code, 'STEP_FAILED');
    assert.match(bug.message, /stage failed .* x is undefined/);
    assert.equal(bug.cause, cause);
    assert.equal(bugIn('stage', bug), bug);
  });
});
