import { closestTopic, type Topic } from '../../processors/score-metrics/metrics/semantics/topics.js';
import { readTopics } from '../../processors/score-metrics/semantics/example-files.js';
import type { Embedder } from '../../runtime/embedding/embedder.js';
import { allRows, embedColumn, sampledRows, type Sampling } from './embedded-rows.js';
import { notHere, type Evaluated } from './evaluation.js';

/** How many texts get the topic that they were taken from, with all topics to choose from. */
export async function evaluateTopic(embedder: Embedder, sampling: Sampling = allRows): Promise<Evaluated> {
  const set = 'topic_langkit6';
  const rows = sampledRows(set, sampling);
  if (rows === null) return notHere(set);
  const topics: Topic<Float32Array>[] = [];
  for (const { name, examples } of readTopics({})) {
    const embedded = await embedder.embed(examples);
    topics.push({ name, examples: embedded.flatMap(({ windows }) => windows.slice(0, 1)) });
  }
  const texts = await embedColumn(embedder, rows, 'text');
  const right = texts.filter(
    ({ windows }, index) => closestTopic(windows, topics) === rows[index]?.['topic'],
  ).length;
  const figure = right / rows.length;
  return [
    {
      metric: 'closest_topic',
      set,
      measure: 'accuracy',
      figure,
      reference: 0.657,
      target: { atLeast: 0.85 },
    },
  ];
}
