import type { ProcessReport } from '../../schemas/generated/process-report.js';
import type { PipelineLag } from './pipeline-lag.js';

/** The errors of a stage that its processes report; null if unknown, with the reason. */
interface StageErrors {
  readonly errors_last_minute: number | null;
  readonly errors_unknown: string | null;
}

/** Processes report every 15 seconds: after four missed reports, the last one counts no more. */
const freshMs = 60_000;

/** A process that has not reported for this long is no longer listed: it was replaced. */
const listedMs = 60 * 60_000;

/** The lag with the errors that the processes report: for each stage, for the edges, and for each process. */
export function withErrors(
  { at, stages }: PipelineLag,
  reports: readonly ProcessReport[],
  nowMs: number,
): object {
  const fresh = reports.filter((report) => report.reported_at / 1_000 > nowMs - freshMs);
  const edges = fresh.filter(({ role }) => role === 'edge');
  return {
    at,
    edge: { processes: edges.length, ...errorsOf('http-edge', edges.length, fresh) },
    stages: stages.map((stage) => ({ ...stage, ...errorsOf(stage.stage, stage.members, fresh) })),
    processes: reports
      .filter((report) => report.reported_at / 1_000 > nowMs - listedMs)
      .sort((a, b) => a.role.localeCompare(b.role) || a.process_id.localeCompare(b.process_id))
      .map((report) => ({
        ...{ process: report.process_id, role: report.role },
        reported_at: new Date(report.reported_at / 1_000).toISOString(),
        errors_last_minute: fresh.includes(report) ? sumOf(Object.values(report.errors)) : null,
      })),
  };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Unknown if a process has not reported: a partial sum would look complete. */
function errorsOf(stage: string, members: number | null, fresh: readonly ProcessReport[]): StageErrors {
  const counts = fresh.flatMap(({ errors }) => errors[stage] ?? []);
  if (counts.length === 0) return unknown('None of its processes has reported within a minute.');
  if (members !== null && counts.length < members)
    return unknown(`${counts.length} of its ${members} processes have reported within a minute.`);
  return { errors_last_minute: sumOf(counts), errors_unknown: null };
}

const unknown = (reason: string): StageErrors => ({ errors_last_minute: null, errors_unknown: reason });
