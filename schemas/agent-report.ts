import { z } from 'zod';
import { lastInstant } from './snapshots/fields.js';
import { isLongerThan } from './text-length.js';

/** The path at which an agent reports its state: POST with the scope `agent`. */
export const agentsPath = '/api/v1/agents';

/** The most characters of an agent's id. */
export const longestAgentId = 64;
/** The longest interval between an agent's reports. */
export const longestReportSeconds = 3_600;

const size = z.number().int().min(0);
const instant = z.number().int().min(0).max(lastInstant);
const nullableText = z.string().nullable();

const dataset = z.object({
  name: z.string(),
  state: z.string(),
  unsent_bytes: size,
  last_arrival_at: instant.nullable(),
  reason: nullableText,
});

const cluster = z.object({
  endpoint: z.string(),
  cluster_uuid: nullableText,
  cluster_name: nullableText,
  state: z.string(),
  reason: nullableText,
});

const connectionTest = z.object({
  endpoint: z.string(),
  at: instant,
  ok: z.boolean(),
  kind: z.string(),
  message: z.string(),
});

/**
 * What an agent reports about itself; times are milliseconds since 1970. Unknown fields of newer agents are
 * dropped. It contains no secrets.
 */
export const agentReport = z.object({
  agent_id: z
    .string()
    .min(1)
    .refine((id) => !isLongerThan(id, longestAgentId), `must have at most ${longestAgentId} characters`),
  host: z.string(),
  version: z.string(),
  started_at: instant,
  /** The interval to the next report: an agent that is silent for much longer has a problem. */
  every_seconds: z.number().int().min(1).max(longestReportSeconds),
  /** True in the last report before a graceful stop. */
  stopping: z.boolean(),
  spool: z.object({
    bytes: size,
    limit_bytes: size,
    unsent_bytes: size,
    /** When the oldest waiting item was taken; null if none waits, or if `oldest_unknown` says why. */
    oldest_at: instant.nullable(),
    oldest_unknown: nullableText,
  }),
  datasets: z.array(dataset),
  components: z.array(z.object({ name: z.string(), problem: nullableText })),
  clusters: z.array(cluster),
  connection_tests: z.array(connectionTest),
  /** The kinds of questions that it answers (schemas/hot-threads.ts); older agents name none. */
  answers: z.array(z.string()).default([]),
});

export type AgentReportBody = z.output<typeof agentReport>;
