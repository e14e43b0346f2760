import type { Metrics } from '../../../runtime/metrics.js';
import type { CallOutcome } from './search-client.js';

/** Counts every call to a search cluster, which shows what the agent costs a cluster. */
export function callMetrics(metrics: Metrics): (outcome: CallOutcome) => void {
  const calls = metrics.counter(
    'telltale_agent_search_calls_total',
    'Calls to search clusters, by their template and by HTTP status or why there was no answer.',
    ['call', 'outcome'],
  );
  const bytes = metrics.counter(
    'telltale_agent_search_answer_bytes_total',
    'Bytes of answers of search clusters, decompressed.',
    ['call'],
  );
  return (outcome) => {
    calls.inc({ call: outcome.call, outcome: String(outcome.outcome) });
    bytes.inc({ call: outcome.call }, outcome.bytes);
  };
}
