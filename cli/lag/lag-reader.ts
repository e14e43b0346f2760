import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { reasonOf } from '../../runtime/errors.js';
import type { GroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { pipeline } from '../pipeline.js';
import { readPipelineLag, type PipelineLag } from './pipeline-lag.js';

/** Reads the lag of the whole pipeline, any number of times. */
export interface LagReader {
  /** Rejects with KAFKA_UNREACHABLE if no broker answers. Concurrent callers share a read. */
  read(): Promise<PipelineLag>;
}

/** How long an answer is reused, so that many open dashboards cause no more reads. */
const freshMs = 1_000;
/** After this time, ClickHouse counts as unavailable, so that it can't delay the answer about Kafka. */
const patienceMs = 2_000;

export function createLagReader(
  kafka: Pick<GroupLagReader, 'read'>,
  clickhouse: Pick<ClickHouse, 'query'>,
): LagReader {
  let reading: Promise<PipelineLag> | undefined;
  const clickhouseDown = (): Promise<string | undefined> =>
    Promise.race([
      clickhouse.query('SELECT 1').then(
        () => undefined,
        (error: unknown) => reasonOf(error),
      ),
      sleep(patienceMs, `no answer within ${patienceMs / 1_000} s`, { ref: false }),
    ]);
  return {
    read() {
      if (reading !== undefined) return reading;
      const answer = readPipelineLag(pipeline, { kafka, clickhouseDown });
      reading = answer;
      const forget = (): void => {
        if (reading === answer) reading = undefined;
      };
      answer.then(() => setTimeout(forget, freshMs).unref(), forget);
      return answer;
    },
  };
}
