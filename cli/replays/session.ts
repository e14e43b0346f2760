import { readConfig } from '../../runtime/config.js';
import { kafkaConfig } from '../../runtime/kafka/client/config.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { requireKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { silentLogger } from '../../runtime/logging.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry, type Registry } from '../../runtime/registry/registry.js';
import type { ReplayLogOptions } from '../../runtime/replays/replay-log.js';
import { replays } from '../../topics/replays.js';
import { scoringRequests, scoringResults, taskStatus } from '../../topics/scoring.js';
import { operatorName } from '../operator.js';

/**
 * Every topic that a scoring replay or import appends to. A process that takes a replay over looks in them
 * for its predecessor's open transactions.
 */
export const replayWrites = [scoringRequests, scoringResults, taskStatus].map(({ name }) => name);

/** What the replay commands share. */
export interface ReplaySession extends ReplayLogOptions {
  readonly registry: Registry;
}

/** Rejects with KAFKA_UNREACHABLE, REGISTRY_UNREACHABLE or SCHEMA_MISSING. */
export async function openReplaySession(
  environment: Readonly<Record<string, string | undefined>>,
  writes: readonly string[] = replayWrites,
): Promise<ReplaySession> {
  const settings = readConfig(kafkaConfig, environment);
  const access = kafkaAccess(settings, 'telltale-replay', silentLogger);

  await requireKafka(access);
  const registry = connectRegistry(settings);
  const codec = await openCodec(replays, registry);
  return { access, registry, codec, writes, operator: operatorName() };
}
