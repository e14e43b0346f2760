import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { RealtimeReply } from '../ports.js';
import type { CallDependencies } from './dependencies.js';
import { textsOf } from './metric-request.js';
import type { MetricEndpoint } from './metric-endpoints.js';
import { preferredWait, type Wait } from './preferred-wait.js';

const metricRetrySeconds = 30;

/** A real-time POST: 200 with the result, 504 if it was not there in time. */
export async function answerCall(
  exchange: Exchange,
  endpoint: MetricEndpoint,
  dependencies: CallDependencies,
): Promise<void> {
  const { admission, bodyLimit, textLimit, ports } = dependencies;
  const arrivedAt = dependencies.clock();
  const admitted = await admission.admitWork(exchange, ['metrics']);
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  const texts = textsOf(body, endpoint.response, textLimit);
  const wait = preferredWait(exchange.request.headers.prefer, dependencies.deadlineMs);
  const id = dependencies.newId();
  const deadline = arrivedAt + wait.ms;

  // Interest is registered first, because the answer can overtake the acknowledgement of the append.
  const replies = ports.realtimeReplies;
  const reply = replies.expect(id, deadline);
  exchange.whenGone(() => replies.forget(id));
  try {
    const appended = ports.requestLog.appendRealtime({
      id,
      workspace: admitted.key.workspace,
      key_id: admitted.key.key_id,
      metric: endpoint.metric,
      prompt: texts.prompt,
      response: texts.response,
      accepted_at: Math.round(dependencies.clock() * 1_000),
      deadline: Math.round(deadline * 1_000),
      reply_to: replies.instance,
      request_digest: null,
    });
    // A client that waits for less time than an append can take is answered on time. A later failure of the
    // append is not reported.
    appended.catch(() => undefined);
    await Promise.race([appended, reply]);
    admitted.leave();
  } catch (error) {
    replies.forget(id);
    throw error;
  }
  answerReply(exchange, await reply, endpoint, wait, admitted.headers);
}

function answerReply(
  exchange: Exchange,
  reply: RealtimeReply | undefined,
  { taskPath }: MetricEndpoint,
  wait: Wait,
  headers: readonly string[],
): void {
  const applied = wait.asked ? ['preference-applied', `wait=${wait.ms / 1_000}`] : [];
  if (reply === undefined)
    throw new Problem(
      'deadline-exceeded',
      `The result was not there within ${wait.ms / 1_000} s. POST the same body to ${taskPath} and read the result later.`,
      { headers: applied },
    );
  if (reply.result === null)
    throw new Problem('metric-unavailable', reply.error ?? 'The metric could not be computed.', {
      headers: [...retryAfter(metricRetrySeconds), ...applied],
    });
  exchange.json(200, reply.result, [...applied, ...headers]);
}
