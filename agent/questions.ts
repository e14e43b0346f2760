import { hostname } from 'node:os';
import { reasonOf } from '../runtime/errors.js';
import type { Logger } from '../runtime/logging.js';
import {
  askedOfAgent,
  hotThreadsKind,
  longestHost,
  longestHotThreads,
  longestMessage,
  type AskedOfAgent,
  type HotThreadsAnswer,
} from '../schemas/hot-threads.js';
import type { HotThreads } from './integration/connection-test/hot-threads.js';

export interface QuestionsOptions {
  /** Undefined if no component watches such a cluster. */
  readonly hotThreads: (clusterUuid: string, signal: AbortSignal) => Promise<HotThreads | undefined>;
  /** Sends an answer; resolves with the status of the server's reply. */
  readonly post: (answer: HotThreadsAnswer, signal: AbortSignal) => Promise<number>;
  readonly logger: Logger;
}

/** The most questions that are taken from one answer of the server: the others come again with the next. */
const mostAtOnce = 10;

/**
 * Answers the server's questions, in addition to the reports. An answer that does not arrive is not kept: the
 * server asks again until it has one, or until nobody waits for it any more.
 */
export class Questions {
  private readonly stopped = new AbortController();
  /** By the id of the question, so that it is not asked of a cluster twice at once. */
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly options: QuestionsOptions) {}

  /** Takes the body of the server's answer to a report. */
  take(body: string): void {
    const known = askedIn(body).filter(({ kind }) => kind === hotThreadsKind);
    for (const question of known.slice(0, mostAtOnce)) {
      const id = question.question_id;
      if (this.stopped.signal.aborted || this.underWay.has(id)) continue;
      this.underWay.set(
        id,
        this.answer(question).finally(() => this.underWay.delete(id)),
      );
    }
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.underWay.values());
  }

  private async answer({ question_id, cluster_uuid }: AskedOfAgent['asked'][number]): Promise<void> {
    const { hotThreads, post, logger } = this.options;
    const { signal } = this.stopped;
    const said = { question: question_id, cluster: cluster_uuid };
    try {
      const found = await hotThreads(cluster_uuid, signal);
      if (signal.aborted) return;
      const status = await post({ question_id, cluster_uuid, ...answerOf(found) }, signal);
      if (status !== 204) throw new Error(`the server answers ${status}`);
      const { ok = false } = found ?? {};
      logger.info(
        { event: 'hot-threads-answered', ...said, ok },
        'the server has the hot threads it asked for',
      );
    } catch (error) {
      if (signal.aborted) return;
      const reason = reasonOf(error);
      logger.warn(
        { event: 'hot-threads-not-answered', ...said, reason },
        'the server does not have the hot threads it asked for',
      );
    }
  }
}

type Answered = Omit<HotThreadsAnswer, 'question_id' | 'cluster_uuid'>;

function answerOf(found: HotThreads | undefined): Answered {
  const host = hostname().slice(0, longestHost);
  if (found === undefined)
    return { host, hot_threads: null, message: 'This agent no longer watches the cluster.' };
  const { hotThreads, message } = found;
  return {
    host,
    hot_threads: hotThreads === null ? null : shortened(hotThreads),
    message: message.slice(0, longestMessage),
  };
}

function shortened(text: string): string {
  if (text.length <= longestHotThreads) return text;
  const note = `\n… cut here. GET /integrations/elasticsearch/hot-threads of the agent returns all ${text.length} characters.\n`;
  return `${text.slice(0, longestHotThreads - note.length)}${note}`;
}

/** Nothing if this agent does not understand the server's answer. */
function askedIn(body: string): AskedOfAgent['asked'] {
  try {
    return askedOfAgent.parse(JSON.parse(body)).asked;
  } catch {
    return [];
  }
}
