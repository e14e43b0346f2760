import type { Codec } from '../../runtime/codec.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { readPartition } from '../../runtime/kafka/consume/read-log.js';
import type { AgentReport } from '../../schemas/generated/agent-report.js';
import { agentReports } from '../../topics/agents.js';

/** The last report of each agent. */
export async function readReports(
  codec: Codec<AgentReport>,
  kafka: KafkaAccess,
): Promise<readonly AgentReport[]> {
  const { signal } = new AbortController();
  const { values } = await readPartition({ topic: agentReports, codec, partition: 0, kafka, signal });
  return [...values.values()];
}
