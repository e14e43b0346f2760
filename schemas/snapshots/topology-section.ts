import { z } from 'zod';
import { amount, flag, instant, list, name, names, text } from './fields.js';

/** `max_threads` and `queue_size` are null if the pool has no such limit. */
const threadPoolLimit = z.object({ pool: name, type: text(64), max_threads: amount, queue_size: amount });

/** Agents send at most 20; every row of the node repeats them. */
const mostAttributes = 50;

const topologyNode = z.object({
  node_id: name,
  name: text(),
  version: text(64),
  host: text(),
  ip: text(),
  transport_address: text(),
  http_address: text(),
  roles: names(),
  /** The data tiers in the roles: content, hot, warm, cold, frozen; the role `data` means all but frozen. */
  tiers: names(),
  is_data: z.boolean(),
  is_master_eligible: z.boolean(),
  is_master: flag,
  attributes: z
    .record(z.string().max(256), z.string().max(1_024))
    .refine(
      (attributes) => Object.keys(attributes).length <= mostAttributes,
      `no more than ${mostAttributes}`,
    )
    .default({}),
  os_name: text(),
  processors: amount,
  allocated_processors: amount,
  jvm_version: text(64),
  jvm_started_at: instant,
  heap_max_bytes: amount,
  thread_pools: list(threadPoolLimit, 200),
});

export const topologySection = z.object({
  nodes_total: amount,
  data_nodes: amount,
  nodes_failed: amount,
  nodes_cut: amount,
  master_node_id: text(),
  nodes: list(topologyNode, 2_000),
});

/** A watermark. For a valid text, exactly one of `used_ratio` and `free_bytes` is set. */
const watermark = z.object({
  text: text(64),
  /** `assumed` is Elasticsearch's own default, if the settings could not be read. */
  source: z.enum(['transient', 'persistent', 'default', 'assumed']),
  /** The fraction of the disk that may be used, 0..1. */
  used_ratio: z.number().min(0).max(1).nullable().default(null),
  /** Bytes that must stay free. */
  free_bytes: amount,
});

export const watermarksSection = z.object({
  /** False: the cluster ignores disk usage when it allocates shards. */
  threshold_enabled: flag,
  /** 7.x: whether a single data node is also evaluated; always true from 8.0. */
  enable_for_single_data_node: flag,
  low: watermark,
  high: watermark,
  flood_stage: watermark,
  flood_stage_frozen: watermark,
  /** In bytes; null if there is none (before 8.x, or a watermark was set): then only the ratio counts. */
  low_max_headroom_bytes: amount,
  high_max_headroom_bytes: amount,
  flood_stage_max_headroom_bytes: amount,
  flood_stage_frozen_max_headroom_bytes: amount,
});

export type TopologyNode = z.output<typeof topologyNode>;
export type TopologySection = z.output<typeof topologySection>;
export type Watermark = z.output<typeof watermark>;
export type WatermarksSection = z.output<typeof watermarksSection>;
