import type { LogRecord } from '../../runtime/kafka/protocol/record-batches.js';

/** A record as a consumer sees it. */
export function logRecord(offset: number, value: string | Buffer, rest: Partial<LogRecord> = {}): LogRecord {
  return { offset, timestamp: 0, key: null, value: Buffer.from(value), headers: {}, ...rest };
}
