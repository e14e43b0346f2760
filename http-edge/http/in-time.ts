import { TelltaleError } from '../../runtime/errors.js';

/**
 * Waits for work in Kafka, which can take as long as an outage. An HTTP request does not wait that long: it
 * rejects with APPEND_TIMED_OUT after `patienceMs`, and the work continues.
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
