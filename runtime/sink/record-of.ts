import { reasonOf, TelltaleError } from '../errors.js';
import type { LogRecord } from '../kafka/protocol/record-batches.js';
import type { WriterSchema } from '../registry/writer-schemas.js';
import { retryUntilAvailable, type SinkEnvironment, type Assignment } from './environment.js';
import type { DeadRecord, SinkRecord, StoredRecord } from './sink-record.js';

/**
 * Checks a record's bytes against the schema that they were written with. Bytes that don't fit it would shift
 * all bytes after them in an insert, so the record becomes a dead letter. Waits while the registry is down.
 * Returns a promise only if a schema has to be fetched: a promise for each record would cost more than the
 * check.
 */
export function recordOf(
  environment: SinkEnvironment,
  record: LogRecord,
  assignment: Assignment,
): SinkRecord | Promise<SinkRecord> {
  const { value } = record;
  if (value === null) return undecodable(record, 'it has no value');
  try {
    const schema = environment.schemas.of(value);
    if (!(schema instanceof Promise)) return stored(record, value, schema);
    return checkedLater(environment, record, value, schema, assignment);
  } catch (error) {
    if (isPoison(error)) return undecodable(record, error);
    throw error;
  }
}

async function checkedLater(
  environment: SinkEnvironment,
  record: LogRecord,
  value: Buffer,
  fetching: Promise<WriterSchema>,
  assignment: Assignment,
): Promise<SinkRecord> {
  // Nobody waits for it once the assignment has ended: then its failure must not count as an unhandled rejection.
  fetching.catch(() => undefined);
  let first: Promise<WriterSchema> | undefined = fetching;
  try {
    const schema = await retryUntilAvailable(environment, assignment, () => {
      const tried = first ?? environment.schemas.of(value);
      first = undefined;
      return tried;
    });
    return stored(record, value, schema);
  } catch (error) {
    if (isPoison(error)) return undecodable(record, error);
    throw error;
  }
}

const stored = (source: LogRecord, value: Buffer, schema: WriterSchema): StoredRecord => ({
  offset: source.offset,
  kind: 'stored',
  schema,
  value,
  source,
});

const undecodable = ({ offset, key, value, headers }: LogRecord, error: unknown): DeadRecord => ({
  offset,
  kind: 'dead',
  letter: { key, value, headers, code: 'RECORD_UNDECODABLE', reason: reasonOf(error) },
});

function isPoison(error: unknown): boolean {
  return error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE';
}
