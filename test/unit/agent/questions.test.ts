import assert from 'node:assert/strict';
import { Questions, type QuestionsOptions } from '../../../agent/questions.js';
import { silentLogger } from '../../../runtime/logging.js';
import { longestHotThreads, type HotThreadsAnswer } from '../../../schemas/hot-threads.js';
import { until } from '../../support/until.js';

const asking = (...ids: readonly string[]): string =>
  JSON.stringify({
    asked: ids.map((id) => ({ kind: 'hot-threads', question_id: id, cluster_uuid: `cluster of ${id}` })),
  });
const had = (text: string) => ({ ok: true, kind: 'ok', hotThreads: text, message: 'Hot threads.' }) as const;

describe('a question of the server to an agent', () => {
  const answers: HotThreadsAnswer[] = [];
  const start = (hotThreads: QuestionsOptions['hotThreads'], statuses: number[] = []): Questions => {
    answers.length = 0;
    return new Questions({
      hotThreads,
      post: (answer) => {
        answers.push(answer);
        return Promise.resolve(statuses.shift() ?? 204);
      },
      logger: silentLogger,
    });
  };

  it('is asked of the cluster and answered', async () => {
    const questions = start((uuid) => Promise.resolve(had(`threads of ${uuid}`)));
    questions.take(asking('q1'));
    await until('it is answered', () => answers.length === 1);
    const { host, ...answer } = answers[0] ?? assert.fail();
    assert.ok(host.length > 0);
    assert.deepEqual(answer, {
      question_id: 'q1',
      cluster_uuid: 'cluster of q1',
      hot_threads: 'threads of cluster of q1',
      message: 'Hot threads.',
    });
    await questions.stop();
  });

  it('is answered with a reason if there are no hot threads, or if the cluster is not watched', async () => {
    const questions = start((uuid) =>
      Promise.resolve(
        uuid === 'cluster of q1'
          ? undefined
          : { ok: false, kind: 'timeout', hotThreads: null, message: 'It took too long.' },
      ),
    );
    questions.take(asking('q1', 'q2'));
    await until('both are answered', () => answers.length === 2);
    assert.deepEqual(
      answers.map(({ hot_threads, message }) => [hot_threads, message]),
      [
        [null, 'This agent no longer watches the cluster.'],
        [null, 'It took too long.'],
      ],
    );
    await questions.stop();
  });

  it('is asked of the cluster once at a time, and again if the server refused the answer', async () => {
    let calls = 0;
    let give: (() => void) | undefined;
    const questions = start(
      () =>
        new Promise((resolve) => {
          calls += 1;
          give = () => resolve(had('threads'));
        }),
      [503],
    );
    questions.take(asking('q1'));
    questions.take(asking('q1'));
    assert.equal(calls, 1);
    give?.();
    await until('the answer was refused, and it may be asked again', () => {
      questions.take(asking('q1'));
      return calls === 2;
    });
    give?.();
    await until('it is answered', () => answers.length === 2);
    await questions.stop();
  });

  it('is ignored if the agent does not know its kind, or cannot read it', async () => {
    const questions = start(() => Promise.reject(new Error('nothing is to be asked')));
    const other = { kind: 'a newer kind', question_id: 'q1', cluster_uuid: 'c' };
    for (const body of ['', '{', '[]', '{"asked":7}', JSON.stringify({ asked: [other] })])
      questions.take(body);
    await questions.stop();
    assert.deepEqual(answers, []);
  });

  it('is answered with a text that is cut at the longest the server takes', async () => {
    const questions = start(() => Promise.resolve(had('x'.repeat(longestHotThreads + 1))));
    questions.take(asking('q1'));
    await until('it is answered', () => answers.length === 1);
    const text = answers[0]?.hot_threads ?? '';
    assert.equal(text.length, longestHotThreads);
    assert.match(text, /x\n… cut here\. .* returns all 262145 characters\.\n$/);
    await questions.stop();
  });

  it('is answered no more once the agent stops', async () => {
    const questions = start(
      (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(had('late')))),
    );
    questions.take(asking('q1'));
    await questions.stop();
    questions.take(asking('q2'));
    assert.deepEqual(answers, []);
  });
});
