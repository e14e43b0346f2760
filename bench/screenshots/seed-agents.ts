import type { AgentReportBody } from '../../schemas/agent-report.js';
import { agentReportBody } from '../../test/support/agent-report-body.js';
import { seededCluster } from './seed-cluster.js';

const mebibyte = 2 ** 20;
const endpoint = 'https://search-1.example.org:9200';

/** An agent that is healthy, and one that cannot send what it collects. */
export function seededAgents(now: number): readonly AgentReportBody[] {
  const cluster = { endpoint, cluster_uuid: seededCluster, cluster_name: 'bookshop' };
  const tested = { endpoint, at: now - 3_600_000, ok: true, kind: 'ok' };
  const spool = {
    bytes: 0,
    limit_bytes: 1_024 * mebibyte,
    unsent_bytes: 0,
    oldest_at: null,
    oldest_unknown: null,
  };
  // The longest interval that an agent may have, so that no report becomes overdue.
  const ofBoth = { started_at: now - 86_400_000, every_seconds: 3_600 };
  return [
    agentReportBody({
      ...{ ...ofBoth, agent_id: '6f0c1a52', host: 'search-1', spool, answers: ['hot-threads'] },
      clusters: [{ ...cluster, state: 'watching', reason: null }],
      connection_tests: [{ ...tested, message: 'Connected to bookshop, Elasticsearch 8.14.1.' }],
    }),
    agentReportBody({
      ...{ ...ofBoth, agent_id: 'd41b77e0', host: 'shop-2' },
      spool: { ...spool, bytes: 635 * mebibyte, unsent_bytes: 610 * mebibyte, oldest_at: now - 5_400_000 },
      datasets: [
        {
          ...{ name: 'spans', state: 'waiting', unsent_bytes: 610 * mebibyte, last_arrival_at: now - 1_000 },
          reason: 'the server answers 503',
        },
      ],
    }),
  ];
}
