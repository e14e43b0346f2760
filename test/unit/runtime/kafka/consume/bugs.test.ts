import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { bugIn } from '../../../../../runtime/kafka/consume/bugs.js';
import { PartitionLost } from '../../../../../runtime/sink/environment.js';

describe('an error in a loop', () => {
  it('is waited out where something outside explains it', () => {
    for (const error of [
      new kafkajs.KafkaJSConnectionError('closed', {}),
      new TelltaleError('APPEND_FAILED', { topic: 't', reason: 'r' }),
      new PartitionLost(),
    ])
      assert.equal(bugIn('stage', error), undefined);
  });

  it('ends the process where nothing does, with its cause kept', () => {
    const cause = new TypeError('x is undefined');
    const bug = bugIn('stage', cause);
    assert.equal(bug?.code, 'STEP_FAILED');
    assert.match(bug.message, /stage failed .* x is undefined/);
    assert.equal(bug.cause, cause);
    assert.equal(bugIn('stage', bug), bug);
  });
});
