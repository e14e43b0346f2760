import type { RequestedMetric } from '../../schemas/metrics.js';
import type { ScoringOutcome } from '../../schemas/results.js';
import type { RunOptions } from '../../runtime/pool/batch-pool.js';
import type { LanguageModelFindings } from './metrics/language-model/finding.js';

/** What the pool is asked to score: one request's texts, and which metrics of them. */
export interface ScoringJob {
  readonly id: string;
  readonly workspace: string;
  readonly metric: RequestedMetric;
  readonly prompt: string;
  readonly response: string | null;
  /** What a language model has found; absent where none was asked. */
  readonly findings?: LanguageModelFindings;
}

export const charactersOf = ({ prompt, response }: Pick<ScoringJob, 'prompt' | 'response'>): number =>
  prompt.length + (response?.length ?? 0);

/** Texts that take much longer than most, whatever is asked of them: up to seconds, where they are embedded. */
export const isLong = (job: Pick<ScoringJob, 'prompt' | 'response'>): boolean => charactersOf(job) > 10_000;

/** What the pool answers for one job: it either scored, or one text failed alone with its reason. */
export type ScoringJobResult =
  | {
      readonly ok: true;
      readonly metrics: ScoringOutcome['metrics'];
      readonly scorerVersions: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly reason: string };

/** Scores a batch; one answer a job, in the order of the jobs. Never rejects because of a text. */
export interface ScoringPool {
  score(jobs: readonly ScoringJob[], options?: RunOptions): Promise<readonly ScoringJobResult[]>;
  stop(): Promise<void>;
}
