import { randomUUID } from 'node:crypto';
import { clusterHealthProcessor } from '../../processors/cluster-health/index.js';
import type { ReadPieces } from '../../processors/cluster-health/memory/partition-memory.js';
import { scoringConfig } from '../../processors/score-metrics/config.js';
import {
  realtimeLanes,
  realtimeRecords,
  taskLanes,
  taskRecords,
  type LaneWithOverflow,
} from '../../processors/score-metrics/index.js';
import { languageModelScoringConfig } from '../../processors/score-metrics/language-model-lane/config.js';
import {
  withLanguageModel,
  type LaneWithLanguageModel,
} from '../../processors/score-metrics/language-model-lane/with-language-model.js';
import { embedPassages } from '../../processors/score-metrics/language-model-lane/embed-passages.js';
import { createEmbeddingPool } from '../../processors/score-metrics/language-model-lane/embedding-pool.js';
import type { Embed } from '../../processors/score-metrics/metrics/language-model/ask.js';
import { piiConfig, piiSettings } from '../../processors/score-metrics/pii-config.js';
import { LiveCalls } from '../../processors/score-metrics/replay/live-calls.js';
import { isLong, type ScoringJob, type ScoringPool } from '../../processors/score-metrics/scoring-job.js';
import { workspaceShares } from '../../processors/score-metrics/overflow/workspace-shares.js';
import { splitBetween } from '../../processors/score-metrics/split-pool.js';
import { jobCost, takesLong, type JobCost } from '../../processors/score-metrics/job-cost.js';
import { createScoringPool, type ScoringThreads } from '../../processors/score-metrics/pool.js';
import { scoreStep } from '../../processors/score-metrics/score-step.js';
import { semanticsConfig, type SemanticsConfig } from '../../processors/score-metrics/semantics/config.js';
import { readThemes, readTopics } from '../../processors/score-metrics/semantics/example-files.js';
import { systemClock } from '../../runtime/clock.js';
import type { Codec } from '../../runtime/codec.js';
import { readConfig } from '../../runtime/config.js';
import { appendConfig, kafkaConfig } from '../../runtime/kafka/client/config.js';
import { canEmbed, embeddingConfig, type EmbeddingConfig } from '../../runtime/embedding/config.js';
import { kafkaAccess, type KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { requireKafka, watchKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { openGroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { readPartition } from '../../runtime/kafka/consume/read-log.js';
import { openBatchingAppender } from '../../runtime/kafka/produce/batching-appender.js';
import { languageModelConfig } from '../../runtime/language-model/config.js';
import { stoppedTogether } from '../../runtime/lifecycle.js';
import type { Processor } from '../../runtime/processor.js';
import { startProcessor } from '../../runtime/processor-loop.js';
import { openCodecs } from '../../runtime/registry/codec-book.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import type { ClusterMemory } from '../../schemas/generated/cluster-memory.js';
import { scoringScorers } from '../../topics/scoring.js';
import { clusterMemory } from '../../topics/cluster-figures.js';
import { processReports } from '../../topics/processes.js';
import { pipeline } from '../pipeline.js';
import { startErrorReports } from '../processes/report-errors.js';
import { exitWithError, type RoleContext } from '../role.js';
import { processorsConfig, type ProcessorsPart } from './config.js';
import { serveOperations } from './operations.js';
import { startReplays } from './replays.js';
import { startScorerReports } from './scorer-reports.js';

/** All processors, or some, as one process. Each lane has its own consumers and its own worker pool. */
export async function startProcessorsRole(context: RoleContext): Promise<void> {
  const { logger, metrics, health, lifecycle, environment } = context;
  const {
    PROCESSORS_HOST: host,
    PROCESSORS_PORT: port,
    PROCESSORS_RUN: part,
  } = readConfig(processorsConfig, environment);
  await serveOperations(context, { host, port, portVariable: 'PROCESSORS_PORT' });

  const settings = readConfig(kafkaConfig, environment);
  const access = kafkaAccess(settings, 'telltale-processors', logger);
  await requireKafka(access);
  const stages = pipeline.filter(({ role }) => role === 'processors');
  const topics = [
    ...new Set([...stages.flatMap(({ reads, writes }) => [...reads, ...writes]), processReports]),
  ];
  lifecycle.register(watchKafka({ kafka: access, topics, health }));
  const codecs = await openCodecs(topics, connectRegistry(settings, { logger }));

  const loop = {
    kafka: access,
    codecs,
    logger,
    metrics,
    health,
    sessionTimeoutMs: settings.KAFKA_SESSION_TIMEOUT_MS,
    fatal: exitWithError(logger),
  };
  const pools = scoringPools(context, part);
  const embed = embedForLanguageModel(context);
  const calls = new LiveCalls();
  const lanes = scoringLanes(context, pools, embed, calls);
  // Stopped before the pools, which they need until their last run is committed.
  const all = stoppedTogether('processors');
  lifecycle.register(all);
  const run = async <In>(processor: Processor<In>): Promise<void> => {
    const running = await startProcessor(processor, loop);
    all.add({ name: processor.name, stop: () => running.stop() });
  };
  const scorers = lanes.flatMap(({ ordinary, overflow, languageModel }) => [
    ...(part === 'overflow' ? [] : [ordinary, languageModel]),
    ...(part === 'lanes' ? [] : [overflow]),
  ]);
  const clusterHealth = clusterHealthProcessor(piecesIn(access, codecs.of(clusterMemory)));
  await Promise.all([...(part === 'overflow' ? [] : [run(clusterHealth)]), ...scorers.map(run)]);
  const appender = await openBatchingAppender({
    ...access,
    clientId: 'telltale-scorers',
    metrics,
    config: { ...readConfig(appendConfig, environment), APPEND_LANES: 1 },
  });
  lifecycle.register({ name: 'appender of reports', stop: () => appender.stop() });
  startErrorReports(context, {
    ...{ role: 'processors', processId: randomUUID(), appender },
    codec: codecs.of(processReports),
  });
  // Stopped before the loops, which would otherwise wait for the answers.
  lifecycle.register({ name: 'language model', stop: () => lanes.forEach((lane) => lane.stop()) });
  if (part === 'overflow') return;
  startScorerReports(context, { appender, codec: codecs.of(scoringScorers), pool: pools.task });
  startReplays(context, {
    access,
    sessionTimeoutMs: settings.KAFKA_SESSION_TIMEOUT_MS,
    codecs,
    lagReader: openGroupLagReader(access),
    calls,
    embed,
    embedding: embeddingOf(environment),
  });
}

/** Reads the memory of a partition's clusters from its topic. */
function piecesIn(kafka: KafkaAccess, codec: Codec<ClusterMemory>): ReadPieces {
  return async (partition, signal) => {
    const { values } = await readPartition({ topic: clusterMemory, codec, partition, kafka, signal });
    return [...values.values()];
  };
}

/** Vectors for the hallucination check; their model is loaded only if a language model is configured. */
function embedForLanguageModel({ logger, metrics, lifecycle, environment }: RoleContext): Embed {
  if (readConfig(languageModelConfig, environment).LLM_BASE_URL === '') {
    return embedPassages({ available: false, reason: 'No language model is configured.' });
  }
  const pool = createEmbeddingPool({
    embedding: readConfig(embeddingConfig, environment),
    config: readConfig(scoringConfig, environment),
    metrics,
    logger,
  });
  lifecycle.register({ name: 'embedding pool', stop: () => pool.stop() });
  return pool.embed;
}

/** Where the pools' threads get vectors, and what they compare them with. Invalid files are reported here. */
function embeddingOf(environment: RoleContext['environment']): EmbeddingConfig & SemanticsConfig {
  const config = readConfig(embeddingConfig.extend(semanticsConfig.shape), environment);
  readThemes(config);
  readTopics(config);
  return config;
}

interface ScoringPools extends Readonly<Record<'task' | 'realtime' | 'background', ScoringPool>> {
  readonly cost: JobCost;
}

/** The worker threads of each lane, and those for long requests, which never run on a lane's own threads. */
function scoringPools(
  { logger, metrics, lifecycle, environment }: RoleContext,
  part: ProcessorsPart,
): ScoringPools {
  const config = readConfig(scoringConfig, environment);
  const settings = { pii: piiSettings(readConfig(piiConfig, environment)) };
  const embedding = embeddingOf(environment);
  const poolOf = (of: ScoringThreads): ScoringPool => {
    const pool = createScoringPool({ of, config, settings, embedding, metrics, logger });
    lifecycle.register({ name: `${of} pool`, stop: () => pool.stop() });
    return pool;
  };
  const cost = jobCost(canEmbed(embedding));
  const isShort = (job: ScoringJob): boolean => !isLong(job);
  const background = splitBetween(poolOf('background'), isShort, poolOf('long-texts'));
  if (part === 'overflow') return { task: background, realtime: background, background, cost };
  return {
    task: splitBetween(poolOf('tasks'), (job) => !takesLong(cost(job)), background),
    realtime: splitBetween(poolOf('realtime'), isShort, background),
    background,
    cost,
  };
}

/** The processors of both lanes, with the pool and the language model of each. */
function scoringLanes(
  { logger, metrics, environment }: RoleContext,
  pools: ScoringPools,
  embed: Embed,
  calls: LiveCalls,
): readonly (LaneWithLanguageModel & { readonly overflow: LaneWithOverflow['overflow'] })[] {
  const modelConfig = {
    ...readConfig(languageModelConfig, environment),
    ...readConfig(languageModelScoringConfig, environment),
  };
  const clock = systemClock;
  const { background, cost } = pools;
  const shares = workspaceShares({
    threads: readConfig(scoringConfig, environment).SCORING_THREADS,
    now: performance.now.bind(performance),
  });
  return (['task', 'realtime'] as const).map((lane) => {
    const pool = pools[lane];
    const records = lane === 'task' ? taskRecords : realtimeRecords;
    const own = { pool, background, cost, clock };
    const lanes = lane === 'task' ? taskLanes({ ...own, shares }) : realtimeLanes(own);
    const beside = withLanguageModel({
      lane,
      config: modelConfig,
      embed,
      processor: lane === 'task' ? lanes.lane : calls.of(lanes.lane),
      score: (requests, findings, step) => scoreStep(requests, findings, step, { pool, clock, records }),
      logger,
      metrics,
    });
    return { ...beside, overflow: lanes.overflow };
  });
}
