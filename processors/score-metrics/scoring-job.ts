import type { RequestedMetric } from '../../schemas/metrics.js';
import type { ScoringOutcome } from '../../schemas/results.js';
import type { RunOptions } from '../../runtime/pool/batch-pool.js';
import type { LanguageModelFindings } from './metrics/language-model/finding.js';
import type { PatternPlace } from './metrics/patterns/groups.js';
import type { TextRole } from './metrics/text-measures.js';

/** A job of the pool: one request's texts, and which metrics to compute. */
export interface ScoringJob {
  readonly id: string;
  readonly workspace: string;
  readonly metric: RequestedMetric;
  readonly prompt: string;
  readonly response: string | null;
  /** The findings of a language model; absent if none was asked. */
  readonly findings?: LanguageModelFindings;
}

export const charactersOf = ({ prompt, response }: Pick<ScoringJob, 'prompt' | 'response'>): number =>
  prompt.length + (response?.length ?? 0);

/** Texts that take much longer than most, whichever metrics are requested: seconds if they are embedded. */
export const isLong = (job: Pick<ScoringJob, 'prompt' | 'response'>): boolean => charactersOf(job) > 10_000;

export type PatternPlaces = Readonly<Partial<Record<TextRole, PatternPlace>>>;

/** The pool's answer to one job: it was scored, or it failed alone with its reason. */
export type ScoringJobResult =
  | {
      readonly ok: true;
      readonly metrics: ScoringOutcome['metrics'];
      readonly scorerVersions: Readonly<Record<string, string>>;
      /** The places of the sensitive patterns that the metrics name. */
      readonly patternPlaces: PatternPlaces;
    }
  | { readonly ok: false; readonly reason: string };

/** Scores a batch; one answer for each job, in their order. Never rejects because of a text. */
export interface ScoringPool {
  score(jobs: readonly ScoringJob[], options?: RunOptions): Promise<readonly ScoringJobResult[]>;
  stop(): Promise<void>;
}
