import { scoringConfig } from '../../processors/score-metrics/config.js';
import { languageModelScoringConfig } from '../../processors/score-metrics/language-model-lane/config.js';
import { needsLanguageModel } from '../../processors/score-metrics/language-model-lane/to-language-model.js';
import { withLanguageModel } from '../../processors/score-metrics/language-model-lane/with-language-model.js';
import type { Embed } from '../../processors/score-metrics/metrics/language-model/ask.js';
import { piiConfig, piiSettings } from '../../processors/score-metrics/pii-config.js';
import { createScoringPool, type ScoringPoolOptions } from '../../processors/score-metrics/pool.js';
import type { LiveCalls } from '../../processors/score-metrics/replay/live-calls.js';
import { replayRequests } from '../../processors/score-metrics/replay/replay-requests.js';
import { recordsOfReplay, type ScoringStep } from '../../processors/score-metrics/replay/score-again.js';
import { openStoredRequests } from '../../processors/score-metrics/replay/stored-requests.js';
import { scoreStep } from '../../processors/score-metrics/score-step.js';
import { scoreMetrics } from '../../processors/score-metrics/index.js';
import { connectClickHouse, readerOptions } from '../../runtime/clickhouse/client.js';
import { clickhouseConfig, clickhouseReaderConfig } from '../../runtime/clickhouse/config.js';
import { systemClock } from '../../runtime/clock.js';
import { readConfig } from '../../runtime/config.js';
import type { GroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { languageModelConfig } from '../../runtime/language-model/config.js';
import type { CodecBook } from '../../runtime/registry/codec-book.js';
import type { OrderedCommits } from '../../runtime/replays/ordered-commits.js';
import { startLiveBrake } from '../../runtime/replays/live-brake.js';
import { scoringProgressOf, scoringRequestOf } from '../../runtime/replays/scoring/scoring-replay-request.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { replays } from '../../topics/replays.js';
import { lagsOf, liveLanes } from '../replays/live-lanes.js';
import { replayWrites } from '../replays/session.js';
import type { RoleContext } from '../role.js';
import { startRoleReplays } from './role-replays.js';

interface ReplayDependencies {
  readonly access: KafkaAccess;
  /** After its process has been silent for this long, a replay moves to another process, as partitions do. */
  readonly sessionTimeoutMs: number;
  readonly codecs: CodecBook;
  readonly lagReader: GroupLagReader;
  readonly calls: LiveCalls;
  readonly embed: Embed;
  readonly embedding: ScoringPoolOptions['embedding'];
}

/** Does the scoring replays that operators request, with the scorers and settings of this process. */
export function startReplays(context: RoleContext, dependencies: ReplayDependencies): void {
  startRoleReplays(context, {
    ...dependencies,
    codec: dependencies.codecs.of(replays),
    writesOf: () => replayWrites,
    isOwn: ({ kind }) => kind === 'scoring',
    work: (commits, signal) => workOn(context, dependencies, commits, signal),
  });
}

/** A replay's threads, each with its own model, exist only while it runs. */
async function workOn(
  context: RoleContext,
  dependencies: ReplayDependencies,
  commits: OrderedCommits,
  signal: AbortSignal,
): Promise<void> {
  const { access, codecs, lagReader, calls, embedding } = dependencies;
  const { environment, logger, metrics } = context;
  const pool = createScoringPool({
    of: 'replays',
    config: readConfig(scoringConfig, environment),
    settings: { pii: piiSettings(readConfig(piiConfig, environment)) },
    embedding,
    metrics,
    logger,
  });
  const brake = startLiveBrake(() => lagsOf(lagReader, liveLanes), calls);
  const scoring = stepOf(context, dependencies, pool, commits.state);
  const storage = readConfig(clickhouseConfig.extend(clickhouseReaderConfig.shape), environment);
  const store = connectClickHouse(readerOptions(storage, logger));
  try {
    await replayRequests({
      ...{ access, codecs, commits, step: scoring.step, brake, signal },
      openStored: (request, bounds, range) => openStoredRequests(store, request, bounds, range),
    });
  } finally {
    scoring.stop();
    await store.close();
    brake.stop();
    await lagReader.stop();
    await pool.stop();
  }
}

/** Requests that need a language model are scored in separate runs, as in the language model's lane. */
function stepOf(
  { environment, logger, metrics }: RoleContext,
  { embed }: ReplayDependencies,
  pool: ReturnType<typeof createScoringPool>,
  replay: Replay,
): { readonly step: ScoringStep; stop(): void } {
  const clock = systemClock;
  const records = recordsOfReplay(scoringProgressOf(replay).version, scoringRequestOf(replay).status);
  const config = {
    ...readConfig(languageModelConfig, environment),
    ...readConfig(languageModelScoringConfig, environment),
  };
  const score: Parameters<typeof withLanguageModel>[0]['score'] = (requests, findings, context) =>
    scoreStep(requests, findings, context, { pool, clock, records });
  const alone: ScoringStep = (requests, context) => score(requests, new Map(), context);
  if (config.LLM_BASE_URL === '') return { step: alone, stop: () => undefined };
  const lane = withLanguageModel({
    lane: 'task',
    config,
    embed,
    processor: scoreMetrics({ pool, clock }),
    score,
    logger,
    metrics,
  });
  const { languageModel } = lane;
  return {
    stop: () => lane.stop(),
    async step(requests, context) {
      const own = requests.filter((request) => !needsLanguageModel(request));
      const asking = requests.filter(needsLanguageModel);
      const outcomes = new Map((await alone(own, context)).map((outcome, at) => [own[at], outcome]));
      for (let from = 0; from < asking.length; from += languageModel.batchSize) {
        const run = asking.slice(from, from + languageModel.batchSize);
        const found = await languageModel.step(run, context);
        const waiting = found.find(({ kind }) => kind === 'retry-later');
        if (waiting !== undefined) return requests.map(() => waiting);
        for (const [at, outcome] of found.entries()) outcomes.set(run[at], outcome);
      }
      return requests.map((request) => outcomes.get(request) ?? { kind: 'drop', reason: 'no outcome' });
    },
  };
}
