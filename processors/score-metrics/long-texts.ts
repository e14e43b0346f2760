import { Turns } from '../../runtime/pool/turns.js';
import { isLong, type ScoringJobResult, type ScoringPool } from './scoring-job.js';

/** Scores long texts in the threads of a pool, and leaves one of its threads to the short ones where it has several. */
export function longTextsIn(pool: ScoringPool, threads: number): ScoringPool {
  const turns = new Turns(Math.max(1, threads - 1));
  return {
    ...pool,
    score: (jobs, options) =>
      Promise.all(
        jobs.map(async (job) => {
          await turns.take({ group: job.workspace, urgent: false }, options?.signal);
          try {
            const [result] = await pool.score([job], { signal: options?.signal });
            return result as ScoringJobResult;
          } finally {
            turns.giveBack();
          }
        }),
      ),
  };
}

/** A lane's pool, of which long texts take no thread. */
export function besideLongTexts(short: ScoringPool, long: ScoringPool): ScoringPool {
  return {
    ...short,
    async score(jobs, options) {
      const [ofShort, ofLong] = await Promise.all([
        short.score(
          jobs.filter((job) => !isLong(job)),
          options,
        ),
        long.score(jobs.filter(isLong), options),
      ]);
      const next = { short: 0, long: 0 };
      return jobs.map(
        (job) => (isLong(job) ? ofLong[next.long++] : ofShort[next.short++]) as ScoringJobResult,
      );
    },
  };
}
