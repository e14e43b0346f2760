import { defaultPiiSettings, type PiiSettings } from './pii/score-pii.js';

/** What an operator may set about the values of metrics. A metric is a function of the texts and of these. */
export interface ScoringSettings {
  readonly pii: PiiSettings;
}

export const standardSettings: ScoringSettings = { pii: defaultPiiSettings };
