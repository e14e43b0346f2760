import { standardEmbedding } from '../../processors/score-metrics/metrics/versions.js';
import { piiConfig, piiSettings } from '../../processors/score-metrics/pii-config.js';
import { describeScorers } from '../../processors/score-metrics/scorers/describe-scorers.js';
import { reportScorers } from '../../processors/score-metrics/scorers/report-scorers.js';
import type { ConfiguredModels } from '../../processors/score-metrics/scorers/scorer-facts.js';
import type { ScoringPool } from '../../processors/score-metrics/scoring-job.js';
import { systemClock } from '../../runtime/clock.js';
import type { Codec } from '../../runtime/codec.js';
import { readConfig } from '../../runtime/config.js';
import { embeddingConfig } from '../../runtime/embedding/config.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { languageModelConfig } from '../../runtime/language-model/config.js';
import type { Scorer } from '../../schemas/generated/scorer.js';
import { scoringScorers } from '../../topics/scoring.js';
import type { RoleContext } from '../role.js';

/** Reports the scorers of this process's metrics on the scorer topic, so that the edges can list them. */
export function startScorerReports(
  { logger, lifecycle, environment }: RoleContext,
  { appender, codec, pool }: { appender: Appender; codec: Codec<Scorer>; pool: ScoringPool },
): void {
  const settings = { pii: piiSettings(readConfig(piiConfig, environment)) };
  const models = configuredModels(environment);
  const reports = reportScorers({
    describe: (signal) => describeScorers({ pool, settings, models }, signal),
    append: (scorers) =>
      appender.append(
        scorers.map((scorer) => ({
          topic: scoringScorers.name,
          key: scorer.metric,
          value: codec.encode(scorer),
        })),
      ),
    clock: systemClock,
    logger,
  });
  lifecycle.register({
    name: 'scorer reports',
    stop: () => reports.stop(),
  });
}

function configuredModels(environment: RoleContext['environment']): ConfiguredModels {
  const { EMBEDDING_BASE_URL, EMBEDDING_MODEL_DIR, EMBEDDING_MODEL } = readConfig(
    embeddingConfig,
    environment,
  );
  const { LLM_BASE_URL, LLM_MODEL } = readConfig(languageModelConfig, environment);
  const embedded = EMBEDDING_MODEL_DIR === undefined ? undefined : standardEmbedding;
  return {
    embedding: EMBEDDING_BASE_URL === undefined ? embedded : EMBEDDING_MODEL,
    language: LLM_BASE_URL === '' ? undefined : LLM_MODEL,
  };
}
