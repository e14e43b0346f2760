import { defaultPiiSettings, piiVersion } from './pii/score-pii.js';

/** Versions of the algorithms of the metrics; the number after the slash counts our own changes to values. */
export const patternsVersion = 'patterns-langkit-0.0.35/1';
export const sentimentVersion = 'vader-nltk-3.8.1/1';
const readabilityVersion = 'textstat-whylabs-0.7.4/1';
/** With the standard settings; `metricsWith` names others. */
export const standardPiiVersion = piiVersion(defaultPiiSettings);
export const textMeasuresVersion = [
  readabilityVersion,
  sentimentVersion,
  patternsVersion,
  standardPiiVersion,
].join(' ');
/** The embedding model that is used unless an endpoint is configured; `metricsWith` names others. */
export const standardEmbedding = 'all-MiniLM-L6-v2';
export const similarityVersion = `cosine/2 ${standardEmbedding}`;
export const topicVersion = `topics/2 ${standardEmbedding}`;
export const toxicityVersion = `toxicity-linear/4 ${standardEmbedding}`;
export const injectionClassifierVersion = `injection-linear/3 ${standardEmbedding}`;
export const semanticsVersion = `themes/3 cosine/2 topics/2 toxicity-linear/4 ${standardEmbedding}`;
