import type { EmbeddingConfig } from '../../runtime/embedding/config.js';
import { standardSettings, type ScoringSettings } from './metrics/settings.js';
import type { SemanticsConfig } from './semantics/config.js';

/** What a scoring pool gives to each of its threads. */
export interface WorkerSettings {
  readonly scoring: ScoringSettings;
  /** Where vectors come from; without it, metrics that need them are null. */
  readonly embedding?: (EmbeddingConfig & SemanticsConfig) | undefined;
}

export const standardWorkerSettings: WorkerSettings = { scoring: standardSettings };
