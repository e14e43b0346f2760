import { reasonOf, TelltaleError } from '../errors.js';
import type { Row } from '../sink.js';
import { patiently, type SinkEnvironment, type Tenure } from './environment.js';
import type { DeadRecord, SinkRecord, SourceMessage } from './sink-record.js';

/**
 * Makes the row or rows of a record, as JSON. Bytes that can't be decoded, and a value that the sink's mapping can't take, are
 * poison and become a dead letter; a registry that is away is waited for. A promise only where a schema has to be fetched:
 * one for each record would cost as much as its decoding.
 */
export function recordOf<In>(
  environment: SinkEnvironment<In>,
  partition: number,
  message: SourceMessage,
  tenure: Tenure,
): SinkRecord | Promise<SinkRecord> {
  if (message.value === null) return dead(message, 'RECORD_UNDECODABLE', 'it has no value');
  try {
    const decoded = environment.codec.decode(message.value);
    if (!(decoded instanceof Promise)) return mapped(environment, partition, message, decoded);
    return decodedLater(environment, partition, message, message.value, decoded, tenure);
  } catch (error) {
    if (isPoison(error)) return dead(message, 'RECORD_UNDECODABLE', error);
    return decodedLater(environment, partition, message, message.value, undefined, tenure);
  }
}

async function decodedLater<In>(
  environment: SinkEnvironment<In>,
  partition: number,
  message: SourceMessage,
  bytes: Buffer,
  decoding: Promise<In> | undefined,
  tenure: Tenure,
): Promise<SinkRecord> {
  // Where the tenure has ended nobody waits for it any more: its failure must not count as unhandled.
  decoding?.catch(() => undefined);
  let first = decoding;
  try {
    const value = await patiently(environment, tenure, () => {
      const tried = first ?? environment.codec.decode(bytes);
      first = undefined;
      return tried;
    });
    return mapped(environment, partition, message, value);
  } catch (error) {
    if (isPoison(error)) return dead(message, 'RECORD_UNDECODABLE', error);
    throw error;
  }
}

function mapped<In>(
  { sink }: SinkEnvironment<In>,
  partition: number,
  message: SourceMessage,
  value: In,
): SinkRecord {
  const offset = Number(message.offset);
  try {
    const incoming = {
      topic: sink.from.name,
      partition,
      offset,
      key: message.key?.toString() ?? '',
      value,
      appendedAt: Number(message.timestamp) * 1_000,
    };
    const json = 'row' in sink ? [textOf(sink.row(incoming))] : sink.rows(incoming).map(textOf);
    return { offset, kind: 'row', json, source: message };
  } catch (error) {
    // A mapping is pure: what it can't map now, it never can.
    return dead(message, 'ROW_UNMAPPABLE', error);
  }
}

function textOf(row: Row | string): string {
  return typeof row === 'string' ? row : JSON.stringify(row);
}

function dead({ offset, key, value }: SourceMessage, code: string, error: unknown): DeadRecord {
  return { offset: Number(offset), kind: 'dead', letter: { key, value, code, reason: reasonOf(error) } };
}

function isPoison(error: unknown): boolean {
  return error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE';
}
