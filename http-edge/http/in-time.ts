import { TelltaleError } from '../../runtime/errors.js';

/**
 * The outcome of work in Kafka, which waits as long as an outage lasts: a request by HTTP does not wait so long, and
 * rejects with APPEND_TIMED_OUT. The work goes on.
 */
export async function inTime<Value>(
  topic: string,
  work: Promise<Value>,
  patienceMs = 10_000,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TelltaleError('APPEND_TIMED_OUT', { topic, ms: patienceMs }));
    }, patienceMs);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
