/**
 * The parts of kafkajs 2.2.4 that our requests, group members and corrections need and that it does not
 * export. The version is pinned permanently, and only files of runtime/kafka import these. Its Snappy codec,
 * which has no types, comes last.
 */
declare module 'kafkajs/src/cluster/index.js' {
  import type { Socket } from 'node:net';

  interface ProtocolRequest {
    readonly apiKey: number;
    readonly apiName?: string;
    readonly apiVersion?: number;
    encode?(): Promise<unknown>;
  }
  interface ProtocolCall<Answer = unknown> {
    readonly request: ProtocolRequest;
    readonly response: { decode(payload: Buffer): Promise<Answer>; parse(answer: Answer): Promise<Answer> };
    readonly requestTimeout?: number;
    readonly logResponseError?: boolean;
  }
  interface ProducerIdentity {
    readonly producerId: string;
    readonly producerEpoch: number;
  }
  type InTransaction = ProducerIdentity & { readonly transactionalId: string };
  interface Broker {
    /** By the API keys of the requests that it knows; null before the first connection. */
    readonly versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>> | null;
    readonly connectionPool: ConnectionPool;
    isConnected(): boolean;
    disconnect(): Promise<void>;
    joinGroup: (asked: object) => Promise<unknown>;
    syncGroup: (asked: object) => Promise<unknown>;
    heartbeat: (asked: object) => Promise<unknown>;
    leaveGroup: (asked: object) => Promise<unknown>;
    offsetCommit: (asked: object) => Promise<unknown>;
    metadata: (topics: readonly string[]) => Promise<ClusterMetadata>;
    fetch: (
      asked: object,
    ) => Promise<{ readonly responses: readonly { readonly partitions: FetchedPartition[] }[] }>;
    initProducerId(request: {
      transactionalId?: string;
      transactionTimeout?: number;
    }): Promise<ProducerIdentity>;
    addPartitionsToTxn(
      request: InTransaction & { topics: { topic: string; partitions: number[] }[] },
    ): Promise<unknown>;
    addOffsetsToTxn(request: InTransaction & { groupId: string }): Promise<unknown>;
    txnOffsetCommit(
      request: InTransaction & {
        groupId: string;
        topics: { topic: string; partitions: { partition: number; offset: string }[] }[];
      },
    ): Promise<unknown>;
    endTxn(request: InTransaction & { transactionResult: boolean }): Promise<unknown>;
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
  interface RequestQueue {
    readonly pending: readonly unknown[];
    /** Sent, and not answered yet. */
    readonly inflight: { readonly size: number };
    readonly throttledUntil: number;
    scheduleCheckPendingRequests: () => void;
  }
  interface Connection {
    readonly requestQueue: RequestQueue;
    /** A new one with each connect. */
    readonly socket?: Socket;
    isConnected(): boolean;
    rejectRequests(error: Error): void;
  }
  interface ConnectionPool {
    /** The second is for fetches. */
    readonly pool: readonly Connection[];
    /** Connects it if it is not connected. */
    getConnection(index: number): Promise<Connection>;
    getConnectionByRequest: (call: Pick<ProtocolCall, 'request'>) => Promise<Connection>;
    send: <Answer>(call: ProtocolCall<Answer>) => Promise<Answer>;
  }
  interface ConnectionPoolBuilder {
    build: (address?: object) => Promise<ConnectionPool>;
  }
  interface FetchedPartition {
    readonly messages: {
      readonly offset: string;
      readonly key: Buffer | null;
      isControlRecord: boolean;
      readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean };
    }[];
    abortedTransactions: { readonly producerId: string; readonly firstOffset: string }[] | null;
  }
  interface ClusterMetadata {
    readonly clusterId: string;
    readonly brokers: readonly { readonly nodeId: number }[];
    readonly topicMetadata: readonly { readonly topic: string; readonly topicErrorCode: number }[];
  }
  interface PartitionMetadata {
    readonly partitionId: number;
    readonly leader: number;
  }
  class Cluster {
    readonly connectionPoolBuilder: ConnectionPoolBuilder;
    /** Of its requests for offsets: 0 returns the high watermark, anything else the last stable offset. */
    isolationLevel?: number;
    constructor(options: Record<string, unknown>);
    readonly brokerPool: {
      readonly metadata: ClusterMetadata | null;
      readonly brokers: Readonly<Record<string, Broker>>;
      createBroker: (options: unknown) => Broker;
      getNodeIds(): string[];
      findBroker(of: { nodeId: string }): Promise<Broker>;
      /** The library asks the returned broker only for metadata. */
      findConnectedBroker: () => Promise<Pick<Broker, 'metadata'>>;
      withBroker: <Answer>(
        ask: (of: { nodeId: string; broker: Broker }) => Promise<Answer>,
      ) => Promise<Answer>;
    };
    readonly targetTopics: ReadonlySet<string>;
    connect(): Promise<void>;
    disconnect: () => Promise<void>;
    addTargetTopic(topic: string): Promise<void>;
    addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
    findGroupCoordinator(of: { groupId: string; coordinatorType: number }): Promise<Broker>;
    refreshMetadata(): Promise<void>;
    refreshMetadataIfNecessary(): Promise<void>;
    findBroker(of: { nodeId: string }): Promise<Broker>;
    findTopicPartitionMetadata(topic: string): PartitionMetadata[];
  }
  // Only the types are exported by name: the module's value is `module.exports`.
  export type {
    Broker,
    ClusterMetadata,
    ConnectionPool,
    FetchedPartition,
    PartitionMetadata,
    ProducerIdentity,
    ProtocolCall,
  };
  // eslint-disable-next-line no-restricted-exports -- this is how a CommonJS class is declared
  export default Cluster;
}

declare module 'kafkajs/src/loggers/index.js' {
  interface LogEntry {
    readonly log: { readonly message: string };
  }
  const loggers: {
    createLogger(options: { level: number; logCreator: () => (entry: LogEntry) => void }): unknown;
  };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default loggers;
}

declare module 'kafkajs/src/protocol/message/compression/index.js' {
  const compression: {
    lookupCodecByAttributes(attributes: number): { decompress(bytes: Buffer): Promise<Buffer> } | null;
  };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default compression;
}

declare module 'kafkajs/src/protocol/requests/metadata/v5/response.js' {
  import type { ClusterMetadata } from 'kafkajs/src/cluster/index.js';
  const metadataResponse: { decode: (raw: Buffer) => Promise<ClusterMetadata> };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default metadataResponse;
}

declare module 'kafkajs/src/protocol/error.js' {
  const protocolErrors: {
    /** A KafkaJSProtocolError, whose `type` is the error's name. */
    createErrorFromCode(code: number): Error;
  };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default protocolErrors;
}

declare module 'kafkajs/src/protocol/encoder.js' {
  class Encoder {
    readonly buffer: Buffer;
    writeInt32(value: number): Encoder;
    writeBoolean(value: boolean): Encoder;
    writeBuffer(bytes: Buffer): Encoder;
    writeUVarIntString(value: string): Encoder;
    /** Without an argument: an empty tag buffer. */
    writeUVarIntBytes(): Encoder;
    writeUVarIntArray(entries: readonly Encoder[]): Encoder;
  }
  // eslint-disable-next-line no-restricted-exports -- as above
  export default Encoder;
}

declare module 'kafkajs/src/protocol/decoder.js' {
  class Decoder {
    constructor(payload: Buffer);
    readInt16(): number;
    readInt32(): number;
    readInt64(): { toString(): string };
    readUVarInt(): number;
    readBytes(length: number): Buffer;
    readUVarIntString(): string | null;
    readUVarIntArray<Entry>(read: (decoder: Decoder) => Entry): Entry[] | null;
    readTaggedFields(): unknown;
  }
  // eslint-disable-next-line no-restricted-exports -- as above
  export default Decoder;
}

// The requests of a group's members.
declare module 'kafkajs/src/protocol/requests/*/index.js' {
  import type { ProtocolCall } from 'kafkajs/src/cluster/index.js';
  const requests: { protocol(of: { version: number }): (asked: object) => ProtocolCall };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default requests;
}

declare module 'kafkajs-snappy' {
  const codec: () => unknown;
  // eslint-disable-next-line no-restricted-exports -- this is how a CommonJS function is declared
  export default codec;
}
