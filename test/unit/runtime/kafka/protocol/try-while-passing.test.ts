import assert from 'node:assert/strict';
import protocolErrors from 'kafkajs/src/protocol/error.js';
import { tryWhilePassing } from '../../../../../runtime/kafka/protocol/try-while-passing.js';

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

  it('gives the first answer, after errors that pass', async () => {
    assert.equal(await tryWhilePassing(failing(3, passing), { retryForMs: 60_000, beforeNext }), 'answered');
    assert.equal(tries, 4);
  });
  it('fails at once with an error that does not pass', async () => {
    await assert.rejects(tryWhilePassing(failing(1, lasting), { retryForMs: 60_000, beforeNext }), lasting);
    assert.equal(tries, 1);
  });
  it('fails with the last error once the time is over, after the least number of tries', async () => {
    const patience = { retryForMs: -1, beforeNext };
    await assert.rejects(tryWhilePassing(failing(9, passing), patience), passing);
    assert.equal(tries, 1);
    tries = 0;
    await assert.rejects(tryWhilePassing(failing(9, passing), { ...patience, leastTries: 4 }), passing);
    assert.equal(tries, 4);
  });
  it('is not tried once nobody waits for it', async () => {
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
