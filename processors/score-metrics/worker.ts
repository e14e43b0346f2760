import { systemClock } from '../../runtime/clock.js';
import { openEmbedder } from '../../runtime/embedding/open-embedder.js';
import { batchWorker, workerGate, workerSettings } from '../../runtime/pool/batch-worker.js';
import { noEmbeddings } from './metrics/reasons.js';
import { metricsWith } from './metrics/registry.js';
import { embeddedTexts } from './job-cost.js';
import { jobScorer } from './score-job.js';
import type { ScoringJob, ScoringJobResult } from './scoring-job.js';
import { embedTexts, type EmbedTexts } from './semantics/embed-texts.js';
import { readThemes, readTopics } from './semantics/example-files.js';
import { standardWorkerSettings, type WorkerSettings } from './worker-settings.js';

/** The settings with which the pool was created. */
const settings = (workerSettings() as WorkerSettings | null) ?? standardWorkerSettings;
const { embed, model } = await openSemantics(settings);
const metrics = metricsWith(settings.scoring, model);
const score = jobScorer(metrics, systemClock, settings.scoring);

/** The work of each thread of the scoring pools. */
export const scoreBatch = batchWorker(scoreEmbedded);

/** Embeds each text at most once, however many metrics compare its vectors, and only if one does. */
async function scoreEmbedded(job: ScoringJob): Promise<ScoringJobResult> {
  const texts = embeddedTexts(job);
  if (texts.length === 0) return score(job);
  const [ofPrompt, ofResponse] = await embed(texts);
  return score(job, { prompt: ofPrompt, response: ofResponse });
}

interface OpenedSemantics {
  readonly embed: EmbedTexts;
  readonly model?: string;
}

async function openSemantics({ embedding }: WorkerSettings): Promise<OpenedSemantics> {
  if (embedding === undefined) {
    return { embed: embedTexts({ available: false, reason: noEmbeddings }, { themes: [], topics: [] }) };
  }
  const opened = await openEmbedder(embedding, workerGate());
  const embed = embedTexts(opened, { themes: readThemes(embedding), topics: readTopics(embedding) });
  // The first text need not wait for the examples, and a thread starts however long an endpoint is down.
  if (embedding.EMBEDDING_BASE_URL === undefined) await embed([]);
  return opened.available ? { embed, model: opened.embedder.model } : { embed };
}
