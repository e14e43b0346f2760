import type { Route } from '../../runtime/http/route.js';
import { hotThreadsAnswer, hotThreadsAnswerPath } from '../../schemas/hot-threads.js';
import { isClusterUuid } from '../clusters/cluster-uuid.js';
import type { Admission } from '../http/admission.js';
import { checkedBody } from '../http/checked-body.js';
import type { HotThreadsLog } from './hot-threads-log.js';

interface Dependencies {
  readonly hotThreads: HotThreadsLog;
  readonly admission: Admission;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Bytes. Room for the longest text, in any script. */
const bodyLimit = 1024 * 1024;

/**
 * `POST /api/v1/agents/hot-threads`: an agent answers. An answer is accepted and dropped if its workspace did
 * not ask the question, or if the question was answered, replaced or forgotten meanwhile. To the agent there
 * is no difference.
 */
export function hotThreadsAnswerRoute({ hotThreads, admission, clock }: Dependencies): Route {
  return {
    method: 'POST',
    pattern: hotThreadsAnswerPath,
    async handle(exchange) {
      const { key, headers } = await admission.admitWork(exchange, ['agent']);
      const answer = await checkedBody(
        exchange,
        bodyLimit,
        hotThreadsAnswer,
        'This is not an answer to a question for hot threads.',
      );
      const uuid = answer.cluster_uuid;
      const question = isClusterUuid(uuid) ? await hotThreads.find(key.workspace, uuid) : undefined;
      if (question?.question_id === answer.question_id && question.answered_at === null)
        await hotThreads.put({
          ...question,
          answered_at: Math.round(clock() * 1_000),
          agent_host: answer.host.toWellFormed(),
          hot_threads: answer.hot_threads?.toWellFormed() ?? null,
          message: answer.message.toWellFormed(),
        });
      exchange.answer(204, '', '', headers);
    },
  };
}
