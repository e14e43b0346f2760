import { version as serverVersion, isOlder } from '../../runtime/version.js';
import { agentReport, type AgentReportBody } from '../../schemas/agent-report.js';
import type { AgentReport } from '../../schemas/generated/agent-report.js';

/** `silent`: it should have reported again by now. */
type AgentState = 'reporting' | 'silent' | 'stopped';

/** An agent, as of its last report. */
export interface KnownAgent {
  readonly said: AgentReportBody;
  readonly state: AgentState;
  /** When that report arrived, in milliseconds since 1970. */
  readonly seenMs: number;
}

/** An agent as shown to people. Times are ISO 8601. */
export interface AgentView {
  readonly agent_id: string;
  readonly host: string;
  readonly state: AgentState;
  readonly last_seen_at: string;
  readonly started_at: string;
  readonly version: string;
  readonly is_older_than_server: boolean;
  readonly spool: object & {
    readonly bytes: number;
    readonly limit_bytes: number;
    readonly oldest_at: string | null;
  };
  readonly datasets: readonly (object & { readonly reason: string | null })[];
  readonly components: AgentReportBody['components'];
  readonly clusters: AgentReportBody['clusters'];
  readonly connection_tests: readonly object[];
}

/** An agent counts as silent once its report is this many intervals late. */
const patience = 3;
const leastPatienceMs = 90_000;
export const forgottenMs = 7 * 86_400_000;

/** The agents that reported within a week, silent ones first, then the most recent. */
export function agentViews(reports: readonly AgentReport[], nowMs: number): readonly AgentView[] {
  const rank = ({ state }: KnownAgent): number => (state === 'silent' ? 0 : 1);
  return knownAgents(reports, nowMs)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(viewOf);
}

const mostListed = 500;

/** The first 500 agents, and whether there are more. */
export function listedAgents(
  reports: readonly AgentReport[],
  nowMs: number,
): { readonly agents: readonly AgentView[]; readonly cut: boolean } {
  const all = agentViews(reports, nowMs);
  return { agents: all.slice(0, mostListed), cut: all.length > mostListed };
}

/** The agents that reported within a week, the most recent first. */
export function knownAgents(reports: readonly AgentReport[], nowMs: number): readonly KnownAgent[] {
  return reports
    .filter(({ received_at: at }) => at / 1_000 > nowMs - forgottenMs)
    .sort((one, other) => other.received_at - one.received_at)
    .flatMap((record) => {
      const said = saidIn(record);
      if (said === undefined) return [];
      const seenMs = record.received_at / 1_000;
      return [{ said, seenMs, state: stateOf(said, seenMs, nowMs) }];
    });
}

/** Cached, because while a question waits, each report that arrives makes the edge scan all reports. */
const bodyByRecord = new WeakMap<AgentReport, AgentReportBody | null>();

/** Undefined if an edge of another version stored a form that this one can't read, until the next report. */
function saidIn(record: AgentReport): AgentReportBody | undefined {
  let said = bodyByRecord.get(record);
  if (said === undefined) {
    said = agentReport.safeParse(JSON.parse(record.report)).data ?? null;
    bodyByRecord.set(record, said);
  }
  return said ?? undefined;
}

function viewOf({ said, seenMs, state }: KnownAgent): AgentView {
  const { agent_id, host, version, spool, components, clusters } = said;
  return {
    ...{ agent_id, host, state },
    last_seen_at: iso(seenMs),
    started_at: iso(said.started_at),
    version,
    is_older_than_server: isOlder(version, serverVersion),
    spool: { ...spool, oldest_at: isoOrNull(spool.oldest_at) },
    datasets: said.datasets.map((one) => ({ ...one, last_arrival_at: isoOrNull(one.last_arrival_at) })),
    components,
    clusters,
    connection_tests: said.connection_tests.map((one) => ({ ...one, at: iso(one.at) })),
  };
}

function stateOf(report: AgentReportBody, seenMs: number, nowMs: number): AgentState {
  if (report.stopping) return 'stopped';
  const lateMs = Math.max(leastPatienceMs, patience * report.every_seconds * 1_000);
  return nowMs - seenMs > lateMs ? 'silent' : 'reporting';
}

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
