/** Requests as kafkajs 2.2.4 encodes them; tests compare ours with them. */
declare module 'kafkajs/src/protocol/requests/metadata/v5/request.js' {
  const metadataRequest: (request: { topics: readonly string[]; allowAutoTopicCreation: boolean }) => {
    encode(): Promise<{ readonly buffer: Buffer }>;
  };
  // eslint-disable-next-line no-restricted-exports -- this is how a CommonJS function is declared
  export default metadataRequest;
}

declare module 'kafkajs/src/protocol/requests/produce/v7/request.js' {
  const produceRequest: (options: {
    readonly acks: number;
    readonly timeout: number;
    readonly compression: number;
    readonly transactionalId?: string | undefined;
    readonly producerId: string;
    readonly producerEpoch: number;
    readonly topicData: readonly object[];
  }) => { encode(): Promise<{ readonly buffer: Buffer }> };
  // eslint-disable-next-line no-restricted-exports -- as above
  export default produceRequest;
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/request.js' {
  const request: (asked: {
    replicaId: number;
    maxWaitTime: number;
    minBytes: number;
    maxBytes: number;
    isolationLevel: number;
    topics: {
      topic: string;
      partitions: { partition: number; fetchOffset: number; maxBytes: number }[];
    }[];
  }) => { encode(): Promise<{ readonly buffer: Buffer }> };
  // eslint-disable-next-line no-restricted-exports -- this is how a CommonJS function is declared
  export default request;
}
