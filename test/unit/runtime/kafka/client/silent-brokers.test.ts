import assert from 'node:assert/strict';
import { firstAnswer } from '../../../../../runtime/kafka/client/silent-brokers.js';
import { TelltaleError } from '../../../../../runtime/errors.js';

describe('the first answer of several brokers', () => {
  const asked: string[] = [];
  const silent = new Promise<string>(() => undefined);
  const asking = (answers: Readonly<Record<string, () => Promise<string>>>) => (broker: string) => {
    asked.push(broker);
    return answers[broker]?.() ?? silent;
  };
  const answered = (answer: string) => () => Promise.resolve(answer);
  const failed = (error: Error) => () => Promise.reject(error);
  beforeEach(() => asked.splice(0));

  it('is that of the first that is asked, and no other is', async () => {
    const ask = asking({ first: answered('one'), second: answered('two') });
    assert.equal(await firstAnswer(['first', 'second'], ask), 'one');
    assert.deepEqual(asked, ['first']);
  });

  it('is that of the next where one fails, and where one is silent', async () => {
    const ask = asking({ failing: failed(new Error('away')), third: answered('three') });
    assert.equal(await firstAnswer(['failing', 'silent', 'third', 'fourth'], ask), 'three');
    assert.deepEqual(asked, ['failing', 'silent', 'third']);
  });

  it('is the last failure where all fail', async () => {
    const last = new Error('away too');
    const ask = asking({ first: failed(new Error('away')), second: failed(last) });
    await assert.rejects(firstAnswer(['first', 'second'], ask), last);
  });

  it('is a failure that another broker would not mend, and no other is asked', async () => {
    const missing = new TelltaleError('TOPIC_MISSING', { topic: 'none' });
    const ask = asking({ first: failed(missing), second: answered('two') });
    await assert.rejects(firstAnswer(['first', 'second'], ask), missing);
    assert.deepEqual(asked, ['first']);
  });

  it('is one: a later answer is let go', async () => {
    let answerLate!: (answer: string) => void;
    const slow = new Promise<string>((resolve) => (answerLate = resolve));
    const late: string[] = [];
    const ask = asking({ slow: () => slow, quick: answered('quick') });
    assert.equal(await firstAnswer(['slow', 'quick'], ask, (answer) => late.push(answer)), 'quick');
    answerLate('slow');
    await slow;
    assert.deepEqual(late, ['slow']);
  });
});
