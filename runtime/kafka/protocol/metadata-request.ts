import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, ClusterMetadata } from 'kafkajs/src/cluster/index.js';
import metadataResponse from 'kafkajs/src/protocol/requests/metadata/v5/response.js';
import { forEachBroker } from '../corrections/hooks.js';
import { kafkaError } from './kafka-error.js';
import { sendRequest } from './send-request.js';

const metadataKey = 3;
const version = 5;

/**
 * Replaces how the cluster asks for its metadata. kafkajs takes one partition without a leader for a failure of the
 * whole request, and asks for every topic where it is given none.
 */
export function askOwnMetadata(cluster: Cluster): void {
  forEachBroker(cluster, (broker) => {
    broker.metadata = (topics) => requestMetadata(broker, topics);
  });
}

/** Rejects with the error of a topic; a partition without a leader has leader -1. */
async function requestMetadata(broker: Broker, topics: readonly string[]): Promise<ClusterMetadata> {
  const answer = await sendRequest(broker, {
    ...{ apiKey: metadataKey, apiName: 'Metadata', apiVersion: version },
    encode: () => encodeMetadataRequest(topics),
    decode: (payload) => metadataResponse.decode(payload),
  });
  return withoutTopicErrors(answer);
}

/** MetadataRequest, version 5 (kafka.apache.org/protocol#The_Messages_Metadata): [topic] allow_auto_topic_creation. */
export function encodeMetadataRequest(topics: readonly string[]): Buffer {
  const names = topics.map((topic) => Buffer.from(topic));
  const bytes = Buffer.alloc(4 + names.reduce((sum, { length }) => sum + 2 + length, 0) + 1);
  let at = bytes.writeInt32BE(names.length);
  for (const name of names) {
    at = bytes.writeInt16BE(name.length, at);
    at += name.copy(bytes, at);
  }
  return bytes;
}

function withoutTopicErrors(answer: ClusterMetadata): ClusterMetadata {
  const failed = answer.topicMetadata.find(({ topicErrorCode }) => topicErrorCode !== 0);
  if (failed !== undefined) throw kafkaError(failed.topicErrorCode);
  return answer;
}
