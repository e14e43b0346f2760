import { combined } from '../../schemas/metrics.js';
import type { ScoringJob } from './scoring-job.js';
import { metrics } from './metrics/registry.js';

type CostedJob = Pick<ScoringJob, 'prompt' | 'response'> & { readonly metric: string };

/** The expected time to score a job, in milliseconds of a thread. */
export type JobCost = (job: CostedJob) => number;

/** Measured with all light metrics of this code together; docs/performance.md has the figures of each. */
const msOfJob = 0.5;
const msOfCharacter = 0.0005;
/** For the embedded model. A text that an endpoint embeds occupies its thread for about as long. */
const msOfEmbeddedCharacter = 0.2;

const embeddedSides = new Map(metrics.map(({ key, embeds }) => [key as string, embeds]));

/** The texts of a job that are embedded: those whose vectors its metric compares. */
export function embeddedTexts({ metric, prompt, response }: CostedJob): readonly string[] {
  const sides: readonly string[] =
    metric === combined ? ['prompt', 'response'] : (embeddedSides.get(metric) ?? []);
  if (sides.length === 0) return [];
  return sides.includes('response') && response !== null ? [prompt, response] : [prompt];
}

/** The cost of jobs, with or without embedding. */
export function jobCost(embeds: boolean): JobCost {
  return (job) => {
    const light = msOfJob + msOfCharacter * (job.prompt.length + (job.response?.length ?? 0));
    if (!embeds) return light;
    return light + msOfEmbeddedCharacter * embeddedTexts(job).reduce((sum, { length }) => sum + length, 0);
  };
}

/** A longer job would delay those behind it. */
export const takesLong = (ms: number): boolean => ms > 50;
