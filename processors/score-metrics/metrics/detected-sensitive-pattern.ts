import { available, metric } from '../metric.js';
import { matchedPattern } from './patterns/groups.js';
import { patternsVersion } from './versions.js';

/** The first group of sensitive patterns that the prompt matches; null if it matches none. */
export const detectedSensitivePattern = metric({
  key: 'detected_sensitive_pattern',
  version: patternsVersion,
  essential: ['prompt.has_patterns'],
  score: ({ prompt }) => available({ 'prompt.has_patterns': prompt.take(matchedPattern) }),
});
