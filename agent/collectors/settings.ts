/** The configuration of an integration that the collectors use; the specification defines names and defaults. */
export interface CollectorSettings {
  /** The time of each call, up to the last byte of its answer. */
  readonly requestTimeoutMs: number;
  readonly enabled: boolean;
  readonly indices: boolean;
  readonly shards: boolean;
  readonly clusterStats: boolean;
  readonly pendingTasks: boolean;
  readonly recovery: boolean;
  readonly tasks: boolean;
  readonly dataStreams: boolean;
  readonly allocationExplain: boolean;
  readonly maxIndices: number;
  readonly maxIndicesPerPayload: number;
  readonly maxShards: number;
  readonly maxNodes: number;
  readonly indexIntervalSeconds: number;
  readonly shardIntervalSeconds: number;
  readonly clusterStatsIntervalSeconds: number;
  readonly metadataIntervalSeconds: number;
  readonly recoveryIntervalSeconds: number;
  readonly taskIntervalSeconds: number;
  readonly slowSearchThresholdMs: number;
  readonly slowIndexingThresholdMs: number;
}

export const defaultCollectorSettings: CollectorSettings = {
  requestTimeoutMs: 15_000,
  enabled: true,
  indices: true,
  shards: true,
  clusterStats: true,
  pendingTasks: true,
  recovery: true,
  tasks: true,
  dataStreams: true,
  allocationExplain: true,
  maxIndices: 200,
  maxIndicesPerPayload: 200,
  maxShards: 2_000,
  maxNodes: 200,
  indexIntervalSeconds: 300,
  shardIntervalSeconds: 300,
  clusterStatsIntervalSeconds: 300,
  metadataIntervalSeconds: 900,
  recoveryIntervalSeconds: 300,
  taskIntervalSeconds: 600,
  slowSearchThresholdMs: 500,
  slowIndexingThresholdMs: 500,
};
