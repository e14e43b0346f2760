/**
 * The parts of kafkajs 2.2.4 that reading without a group needs and that it does not export. The version is pinned
 * for good, and only log-access.ts, record-batches.ts, aborted-transactions.ts and coordinator-cache.ts import these.
 */
declare module 'kafkajs/src/cluster/index.js' {
  interface ProtocolRequest {
    readonly apiKey: number;
  }
  interface Broker {
    readonly connectionPool: {
      send<Answer>(call: {
        request: ProtocolRequest;
        response: { decode(payload: Buffer): Promise<Answer>; parse(answer: Answer): Promise<Answer> };
        requestTimeout: number;
        logResponseError: boolean;
      }): Promise<Answer>;
    };
    listOffsets(request: {
      isolationLevel: number;
      topics: {
        topic: string;
        partitions: { partition: number; timestamp: number }[];
      }[];
    }): Promise<{
      responses: {
        topic: string;
        partitions: { partition: number; offset: string }[];
      }[];
    }>;
  }
  interface BrokerMetadata {
    readonly clusterId: string;
  }
  interface PartitionMetadata {
    readonly partitionId: number;
    readonly leader: number;
  }
  interface CoordinatorMetadata {
    readonly coordinator: { readonly nodeId: number };
  }
  class Cluster {
    constructor(options: Record<string, unknown>);
    readonly brokerPool: { readonly metadata: BrokerMetadata | null };
    connect(): Promise<void>;
    disconnect(): Promise<void>;
    addTargetTopic(topic: string): Promise<void>;
    refreshMetadata(): Promise<void>;
    findBroker(of: { nodeId: string }): Promise<Broker>;
    findTopicPartitionMetadata(topic: string): PartitionMetadata[];
    findGroupCoordinatorMetadata: (
      this: Cluster,
      of: { groupId: string; coordinatorType: number },
    ) => Promise<CoordinatorMetadata>;
  }
  // Only the types leave by name: the module's value is what `module.exports` is.
  export type { Broker, CoordinatorMetadata, PartitionMetadata };
  // eslint-disable-next-line no-restricted-exports -- this is how a CommonJS class is declared
  export default Cluster;
}

declare module 'kafkajs/src/loggers/index.js' {
  interface LogEntry {
    readonly namespace: string;
    readonly level: number;
    readonly log: Readonly<Record<string, unknown>> & { readonly message: string };
  }
  const loggers: {
    createLogger(options: { level: number; logCreator: () => (entry: LogEntry) => void }): unknown;
  };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default loggers;
}

declare module 'kafkajs/src/network/socketFactory.js' {
  const createSocketFactory: () => unknown;
  // eslint-disable-next-line no-restricted-exports -- as above
  export default createSocketFactory;
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/request.js' {
  const fetchRequest: (request: {
    replicaId: number;
    maxWaitTime: number;
    minBytes: number;
    maxBytes: number;
    isolationLevel: number;
    topics: {
      topic: string;
      partitions: { partition: number; fetchOffset: number; maxBytes: number }[];
    }[];
  }) => { readonly apiKey: number };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default fetchRequest;
}

declare module 'kafkajs/src/protocol/message/compression/index.js' {
  const compression: {
    lookupCodecByAttributes(attributes: number): { decompress(bytes: Buffer): Promise<Buffer> } | null;
  };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default compression;
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/response.js' {
  interface FetchedPartition {
    readonly messages: {
      readonly offset: string;
      readonly key: Buffer | null;
      isControlRecord: boolean;
      readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean };
    }[];
    abortedTransactions: { readonly producerId: string; readonly firstOffset: string }[] | null;
  }
  const fetchResponse: {
    decode: (raw: Buffer) => Promise<{ readonly responses: { readonly partitions: FetchedPartition[] }[] }>;
  };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default fetchResponse;
}
