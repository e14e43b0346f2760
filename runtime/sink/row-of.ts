import type { KafkaMessage } from 'kafkajs';
import { reasonOf, TelltaleError } from '../errors.js';
import { patiently, type SinkEnvironment, type Tenure } from './environment.js';
import { rowJson, rowsJson, type SinkRecord } from './row-range.js';

/**
 * Makes the row or rows of a record, as JSON. Bytes that can't be decoded, and a value that the sink's mapping can't take, are
 * poison and become a dead letter; a registry that is away is waited for.
 */
export async function recordOf<In>(
  environment: SinkEnvironment<In>,
  partition: number,
  message: KafkaMessage,
  tenure: Tenure,
): Promise<SinkRecord> {
  const { sink, codec } = environment;
  const offset = Number(message.offset);
  const topic = sink.from.name;
  const dead = (code: string, error: unknown): SinkRecord => ({
    offset,
    kind: 'dead',
    letter: { key: message.key, value: message.value, code, reason: reasonOf(error) },
  });
  if (message.value === null) return dead('RECORD_UNDECODABLE', 'it has no value');
  const bytes = message.value;
  let value: In;
  try {
    const decoded = codec.decode(bytes);
    value = decoded instanceof Promise ? await decoded : decoded;
  } catch (error) {
    if (isPoison(error)) return dead('RECORD_UNDECODABLE', error);
    try {
      value = await patiently(environment, tenure, () => codec.decode(bytes));
    } catch (later) {
      if (isPoison(later)) return dead('RECORD_UNDECODABLE', later);
      throw later;
    }
  }
  try {
    const at = { topic, partition, offset };
    const incoming = {
      ...at,
      key: message.key?.toString() ?? '',
      value,
      appendedAt: Number(message.timestamp) * 1_000,
    };
    const json = 'row' in sink ? [rowJson(sink.row(incoming), at)] : rowsJson(sink.rows(incoming), at);
    return { offset, kind: 'row', json, source: { key: message.key, value: message.value } };
  } catch (error) {
    // A mapping is pure: what it can't map now, it never can.
    return dead('ROW_UNMAPPABLE', error);
  }
}

function isPoison(error: unknown): boolean {
  return error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE';
}
