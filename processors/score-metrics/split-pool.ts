import type { ScoringJob, ScoringJobResult, ScoringPool } from './scoring-job.js';

/** Scores the jobs that belong to `own` in that pool, and the rest in `other`, at the same time. */
export function splitBetween(
  own: ScoringPool,
  belongs: (job: ScoringJob) => boolean,
  other: ScoringPool,
): ScoringPool {
  return {
    ...own,
    async score(jobs, options) {
      const isOwn = jobs.map(belongs);
      const [ofOwn, ofOther] = await Promise.all([
        own.score(
          jobs.filter((_, at) => isOwn[at]),
          options,
        ),
        other.score(
          jobs.filter((_, at) => !isOwn[at]),
          options,
        ),
      ]);
      const next = { own: 0, other: 0 };
      return isOwn.map((mine) => (mine ? ofOwn[next.own++] : ofOther[next.other++]) as ScoringJobResult);
    },
  };
}
