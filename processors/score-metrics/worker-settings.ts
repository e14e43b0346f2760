import type { EmbeddingConfig } from '../../runtime/embedding/config.js';
import { standardSettings, type ScoringSettings } from './metrics/settings.js';
import type { SemanticsConfig } from './semantics/config.js';

/** The settings of a scoring pool's threads. */
export interface WorkerSettings {
  readonly scoring: ScoringSettings;
  /** Where vectors come from; if absent, metrics that need them are null. */
  readonly embedding?: (EmbeddingConfig & SemanticsConfig) | undefined;
}

export const standardWorkerSettings: WorkerSettings = { scoring: standardSettings };
