import express, { type Express, type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { Partitioners } from 'kafkajs';
import { createKafka } from '../../runtime/kafka/client/client.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';

/** The same endpoint as a first version would have it: express, its body parser, one send per request. */
export async function expressJsonServer(kafka: KafkaAccess, topic: string): Promise<Express> {
  const producer = createKafka(kafka).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const app = express();
  app.use(express.json({ limit: '2mb' }));
  app.post('/accept', (request: Request, response: Response, next) => {
    const id = randomUUID();
    producer
      .send({ topic, acks: -1, messages: [{ key: id, value: JSON.stringify(request.body) }] })
      .then(() => response.status(202).location(`/task/${id}`).json({ status: 'queued', task_id: id }))
      .catch(next);
  });
  return app;
}
