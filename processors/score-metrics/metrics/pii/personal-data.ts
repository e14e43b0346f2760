import type { Measure } from '../text/analysed-text.js';
import { piiScorer, type PiiScore } from './score-pii.js';

/** The personal data in a text as it was sent, because its offsets must fit the sender's copy. */
export const personalData: Measure<PiiScore> = ({ original, settings }) => piiScorer(settings.pii)(original);
