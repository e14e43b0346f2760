import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Appender } from '../../runtime/kafka/produce/appender.js';

/** The topics that a floor appends to. */
export interface FloorTopics {
  readonly status: string;
  readonly requests: string;
}

/**
 * The least that an accepting server can do: read the bytes, append a status and the unchanged bytes in two
 * stages, answer with an id. No key, no check, no schema, no metrics.
 */
export function bareHttpServer(appender: Appender, topics: FloorTopics): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void accept(Buffer.concat(chunks), appender, topics, response));
  });
}

async function accept(
  body: Buffer,
  appender: Appender,
  topics: FloorTopics,
  response: ServerResponse,
): Promise<void> {
  const id = randomUUID();
  const answer = JSON.stringify({ status: 'queued', task_id: id });
  await appender.append(
    [{ topic: topics.status, key: id, value: Buffer.from(answer) }],
    [{ topic: topics.requests, key: id, value: body }],
  );
  response.writeHead(202, { 'content-type': 'application/json', location: `/task/${id}` });
  response.end(answer);
}
