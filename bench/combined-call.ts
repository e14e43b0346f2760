import { setTimeout as sleep } from 'node:timers/promises';
import { openOnnxEmbedder } from '../runtime/embedding/onnx-embedder.js';
import type { Pipeline } from '../test/support/pipeline.js';
import { taskClient } from '../test/support/task-client.js';
import { embeddingsOf, type CombinedText } from './combined.js';
import { besideConstant, median, type ComparisonResult } from './comparison.js';

/** The most that a lone call may take beyond its embeddings, and the most memory the processors may use. */
const msBeyondEmbeddings = 15;
const memoryMegabytes = 900;

/**
 * Lone combined calls over HTTP through the whole pipeline, alternating with the same texts embedded alone.
 * Then the memory of the processors, all of whose threads have the model.
 */
export async function measureCombinedCalls(
  pipeline: Pipeline,
  modelFolder: string,
  texts: readonly CombinedText[],
): Promise<readonly ComparisonResult[]> {
  const embedder = await openOnnxEmbedder(modelFolder);
  const client = taskClient(pipeline.edge.url, pipeline.key, 1);
  const trips: { readonly call: number; readonly embedding: number }[] = [];
  for (const [index, text] of texts.entries()) {
    const call = await millisecondsOf(async () => {
      const { code } = await client.post('/api/v1/monitoring/metrics', text);
      if (code !== 200) throw new Error(`a combined call was answered ${code}`);
    });
    const embedding = await millisecondsOf(() => embeddingsOf(text, embedder));
    if (index >= warmUp) trips.push({ call, embedding });
  }
  client.close();
  await embedder.close();
  const beyond = median(trips.map(({ call }) => call)) - median(trips.map(({ embedding }) => embedding));
  const tasks = taskClient(pipeline.edge.url, pipeline.key, 8);
  await Promise.all(texts.map((text) => tasks.submit('/api/v1/monitoring/metrics/task', text)));
  tasks.close();
  await sleep(5_000);
  return [
    atMost(
      'a lone real-time combined call, p50 beyond its embeddings',
      'ms',
      beyond,
      msBeyondEmbeddings,
      'what it may take',
    ),
    atMost(
      'memory of the processors, three scoring threads with the model',
      'MB',
      await residentMegabytes(pipeline.processors.url),
      memoryMegabytes,
      'what they may hold',
    ),
  ];
}

const warmUp = 20;

async function millisecondsOf(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function residentMegabytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the processors say nothing of their memory');
  return Number(bytes) / 1e6;
}

/** A figure with an absolute bound instead of a floor. */
const atMost = (
  name: string,
  unit: string,
  ours: number,
  floor: number,
  floorName: string,
): ComparisonResult => besideConstant({ name, unit, floorName, ours, floor, target: { atMost: 1 } });
