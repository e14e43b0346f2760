import { metricsWith } from '../processors/score-metrics/metrics/registry.js';
import { standardSettings } from '../processors/score-metrics/metrics/settings.js';
import { jobScorer } from '../processors/score-metrics/score-job.js';
import { embedTexts, type EmbedTexts } from '../processors/score-metrics/semantics/embed-texts.js';
import { readThemes, readTopics } from '../processors/score-metrics/semantics/example-files.js';
import { systemClock } from '../runtime/clock.js';
import type { Embedder } from '../runtime/embedding/embedder.js';
import { openOnnxEmbedder } from '../runtime/embedding/onnx-embedder.js';
import type { Comparison } from './comparison.js';
import { labelledRows } from './evaluate/labelled-data.js';

export interface CombinedText {
  readonly prompt: string;
  readonly response: string | null;
}

/** Texts of one length, spread over their set. */
export interface CombinedTexts {
  readonly name: string;
  readonly texts: readonly CombinedText[];
}

/** Prompts of some ten words alone, and prompts with responses by people; null if the sets are not here. */
export function combinedTexts(): readonly CombinedTexts[] | null {
  const short = labelledRows('xstest_prompts') as readonly { text: string }[] | null;
  const long = labelledRows('halu_general_human') as readonly { prompt: string; response: string }[] | null;
  if (short === null || long === null) return null;
  return [
    {
      name: 'xstest_prompts',
      texts: spread(short, 150).map(({ text }) => ({ prompt: text, response: null })),
    },
    {
      name: 'halu_general_human',
      texts: spread(long, 25).map(({ prompt, response }) => ({ prompt, response })),
    },
  ];
}

function spread<Row>(rows: readonly Row[], count: number): readonly Row[] {
  const step = Math.max(1, Math.floor(rows.length / count));
  return rows.filter((_, index) => index % step === 0).slice(0, count);
}

export interface CombinedBench {
  readonly comparisons: readonly Comparison[];
  stop(): Promise<void>;
}

/** Combined calls as a thread of the pool computes them, compared with only the embeddings that they need. */
export async function openCombinedBench(
  modelFolder: string,
  sets: readonly CombinedTexts[],
): Promise<CombinedBench> {
  const embedder = await openOnnxEmbedder(modelFolder);
  const embed = embedTexts({ available: true, embedder }, { themes: readThemes({}), topics: readTopics({}) });
  await embed([]);
  const score = jobScorer(metricsWith(standardSettings), systemClock);
  return {
    comparisons: sets.map(({ name, texts }) => ({
      name: `the combined call without a language model, ${name}`,
      unit: 'calls per CPU-second',
      floorName: 'the embeddings alone',
      target: { atLeast: 1 / 1.3 },
      pairs: 3,
      ours: () => callsPerCpuSecond(texts, (text) => combinedCall(text, embed, score)),
      floor: () => callsPerCpuSecond(texts, (text) => embeddingsOf(text, embedder)),
    })),
    stop: () => embedder.close(),
  };
}

const textsOf = ({ prompt, response }: CombinedText): readonly string[] =>
  response === null ? [prompt] : [prompt, response];

export async function embeddingsOf(text: CombinedText, embedder: Embedder): Promise<void> {
  await embedder.embed(textsOf(text));
}

async function combinedCall(
  text: CombinedText,
  embed: EmbedTexts,
  score: ReturnType<typeof jobScorer>,
): Promise<void> {
  const [prompt, response] = await embed(textsOf(text));
  const result = score({ id: 'bench', workspace: 'bench', metric: 'all', ...text }, { prompt, response });
  if (!result.ok) throw new Error(result.reason);
}

/** Long enough that compilation during the run does not show. */
const secondsEach = 3;

async function callsPerCpuSecond(
  texts: readonly CombinedText[],
  call: (text: CombinedText) => Promise<void>,
): Promise<number> {
  const begin = process.cpuUsage();
  for (let calls = 0; ;) {
    for (const text of texts) await call(text);
    calls += texts.length;
    const { user, system } = process.cpuUsage(begin);
    const seconds = (user + system) / 1e6;
    if (seconds >= secondsEach) return calls / seconds;
  }
}
