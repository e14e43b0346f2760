import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../runtime/errors.js';
import type { Logger } from '../runtime/logging.js';
import { version } from '../runtime/version.js';
import { agentsPath, type AgentReportBody } from '../schemas/agent-report.js';
import { hotThreadsAnswerPath, hotThreadsKind } from '../schemas/hot-threads.js';
import type { ComponentReport } from './component.js';
import { createBatchPoster, type Server } from './forwarder/post-batch.js';
import type { Forwarder } from './forwarder/forwarder.js';
import type { LiveConfig } from './live-config.js';
import { Questions, type QuestionsOptions } from './questions.js';

export interface ReporterOptions {
  readonly config: LiveConfig;
  readonly agentId: string;
  readonly forwarder: Pick<Forwarder, 'report'>;
  /** The report of each component, by its name. */
  readonly components: () => ReadonlyMap<string, ComponentReport>;
  /** What the server may ask for. */
  readonly hotThreads: QuestionsOptions['hotThreads'];
  readonly logger: Logger;
  readonly everySeconds?: number;
}

/** The server can be slow: an agent that ends waits no longer than this for it. */
const lastReportMs = 1_000;
const mostListed = 100;
const longestText = 300;

/**
 * Reports this agent's state to the server, now and every 30 s, and answers its questions. A report that does
 * not arrive is not kept: the next one is more recent.
 */
export function startReporter(options: ReporterOptions): { stop(): Promise<void> } {
  const { config, logger, everySeconds = 30 } = options;
  const poster = createBatchPoster();
  const server = (): Server => {
    const { AGENT_SERVER_URL: url, AGENT_API_KEY: key } = config.current();
    return { url, key };
  };
  const questions = new Questions({
    hotThreads: options.hotThreads,
    post: async (answer, signal) =>
      (await poster.tell(hotThreadsAnswerPath, answer, server(), signal)).status,
    logger,
  });
  const stopped = new AbortController();
  const startedAt = Date.now();
  let failing = '';

  const send = async (stopping: boolean, signal: AbortSignal): Promise<void> => {
    if (server().key === '') return;
    const said = contentOf(options);
    const report = { ...said, started_at: startedAt, every_seconds: everySeconds, stopping };
    const reason = await poster.tell(agentsPath, report, server(), signal).then(({ status, body }) => {
      if (status === 200) questions.take(body);
      return status === 200 || status === 204 ? '' : `the server answers ${status}`;
    }, reasonOf);
    if (reason !== failing && !signal.aborted && reason !== '')
      logger.warn({ event: 'report-not-taken', reason }, 'the server refused the report of this agent');
    failing = reason;
  };
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await send(false, stopped.signal);
      await sleep(everySeconds * 1_000, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopped.abort();
      await Promise.all([running, questions.stop()]);
      await send(true, AbortSignal.timeout(lastReportMs));
      poster.close();
    },
  };
}

function contentOf({
  agentId,
  forwarder,
  components,
}: ReporterOptions): Omit<AgentReportBody, 'started_at' | 'every_seconds' | 'stopping'> {
  const running = [...components()];
  const { spool, datasets } = forwarder.report();
  return {
    agent_id: agentId,
    host: hostname(),
    version,
    spool,
    datasets: datasets.map((one) => ({ ...one, reason: cut(one.reason) })),
    components: running.map(([name, { problem = null }]) => ({ name, problem: cut(problem) })),
    clusters: running
      .flatMap(([, { clusters = [] }]) => clusters)
      .slice(0, mostListed)
      .map((one) => ({ ...one, reason: cut(one.reason) })),
    connection_tests: running
      .flatMap(([, { connectionTests = [] }]) => connectionTests)
      .slice(0, mostListed)
      .map((one) => ({ ...one, message: cut(one.message) ?? '' })),
    answers: [hotThreadsKind],
  };
}

const cut = (text: string | null): string | null => text?.slice(0, longestText) ?? null;
