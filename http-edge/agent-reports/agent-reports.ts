import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { AgentReport } from '../../schemas/generated/agent-report.js';
import type { Topic } from '../../topics/topic.js';
import { forgottenMs } from './agent-view.js';

/** The last report of each agent. */
export interface AgentReports {
  /** Throws while the topic is still being read. */
  list(workspace: string): readonly AgentReport[];
  /** The total size of the reports of the workspace's other agents, in characters. Every edge holds them. */
  totalSizeWithout(report: AgentReport, host: string): number;
  /** Resolves once the report is durable; rejects with BUFFER_FULL, APPEND_TIMED_OUT or APPEND_FAILED. */
  put(report: AgentReport, host: string): Promise<void>;
}

export interface AgentReportsOptions {
  readonly topic: Topic<AgentReport>;
  readonly codec: Codec<AgentReport>;
  readonly kafka: KafkaAccess;
  readonly appender: Pick<Appender, 'append'>;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/** The host is part of the key: a data folder that was copied with its agent id belongs to another agent. */
export const reportKey = ({ workspace, agent_id: id }: AgentReport, host: string): string =>
  `${workspace}/${id}/${host}`;

/** The last report of each agent, in memory on every edge. */
export function startAgentReports(options: AgentReportsOptions): AgentReports & { stop(): Promise<void> } {
  const { topic, codec, kafka, appender, condition, metrics } = options;
  const target = new MemoryTarget<AgentReport>();
  const view = startCompactedView({ topic, codec, target, kafka, condition, metrics });
  const list = (workspace: string): readonly AgentReport[] =>
    target.all().filter((report) => report.workspace === workspace);
  return {
    list(workspace) {
      view.requireCaughtUp();
      return list(workspace);
    },
    totalSizeWithout: (report, host) =>
      sizeOf(list(report.workspace)) - (target.get(reportKey(report, host))?.report.length ?? 0),
    async put(report, host) {
      target.forget(({ received_at: at }) => at < report.received_at - forgottenMs * 1_000);
      await appender.append([
        { topic: topic.name, key: reportKey(report, host), value: codec.encode(report) },
      ]);
    },
    stop: () => view.stop(),
  };
}

const sizeOf = (reports: readonly AgentReport[]): number =>
  reports.reduce((sum, { report }) => sum + report.length, 0);
