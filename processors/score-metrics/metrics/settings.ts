import { defaultPiiSettings, type PiiSettings } from './pii/score-pii.js';

/** The settings that affect the values of metrics. A metric depends on the texts and on these. */
export interface ScoringSettings {
  readonly pii: PiiSettings;
}

export const standardSettings: ScoringSettings = { pii: defaultPiiSettings };
