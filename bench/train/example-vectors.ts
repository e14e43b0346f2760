import { writeFileSync } from 'node:fs';
import {
  digestOf,
  packVector,
  type ExampleVectorsFile,
} from '../../processors/score-metrics/models/example-vectors.js';
import { readThemes, readTopics } from '../../processors/score-metrics/semantics/example-files.js';
import { cachedEmbedder } from '../vector-cache.js';

/** Embeds the built-in examples of themes and topics and stores the vectors. Run it when they change. */
export async function writeExampleVectors(): Promise<void> {
  const texts = [...readThemes({}), ...readTopics({})].flatMap(({ examples }) => examples);
  const embedder = await cachedEmbedder();
  const embedded = await embedder.embed(texts);
  await embedder.close();
  const vectors = texts.map((text, index): [string, string] => [
    digestOf(text),
    packVector(embedded[index]?.windows[0] ?? new Float32Array()),
  ]);
  const file: ExampleVectorsFile = { embedding: embedder.model, vectors: Object.fromEntries(vectors) };
  writeFileSync(
    'processors/score-metrics/models/example-vectors.json',
    `${JSON.stringify(file, undefined, 2)}\n`,
  );
}
