import type { AgentReportBody } from '../../schemas/agent-report.js';
import type { Dataset } from '../component.js';
import type { DatasetStatus } from './progress.js';

type Oldest = Pick<AgentReportBody['spool'], 'oldest_at' | 'oldest_unknown'>;

/** The longest wait among those of all datasets. */
export function oldestOf(waits: readonly (number | null | undefined)[]): Oldest {
  const since = waits.filter((at) => at !== undefined);
  if (since.includes(null))
    return { oldest_at: null, oldest_unknown: 'It was in the spool when the agent started.' };
  const known = since.filter((at) => at !== null);
  return { oldest_at: known.length === 0 ? null : Math.min(...known), oldest_unknown: null };
}

/** The progress of a dataset, in the form of the server's report. */
export function reportOf(name: Dataset, status: DatasetStatus): AgentReportBody['datasets'][number] {
  const { state, unsent_bytes, last_arrival_at: arrival, last_error: error } = status;
  const waits = state === 'waiting to try again' || state === 'held back';
  return {
    ...{ name, state, unsent_bytes },
    last_arrival_at: arrival === null ? null : Date.parse(arrival),
    reason: waits ? (error?.reason ?? null) : null,
  };
}
