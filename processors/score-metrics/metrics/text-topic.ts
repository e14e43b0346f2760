import { metric } from '../metric.js';
import { closestTopicOf } from './semantics/measures.js';
import { topicVersion } from './versions.js';

/** The category that the prompt is closest to. */
export const textTopic = metric({
  key: 'text_topic',
  version: topicVersion,
  essential: ['prompt.closest_topic'],
  embeds: ['prompt'],
  score: ({ prompt }) => closestTopicOf('prompt', prompt),
});
