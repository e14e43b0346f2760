import type { Topic } from '../../topics/topic.js';
import { avro, deleteAfter, topic } from '../../topics/topic.js';
import type { CodecBook } from '../../runtime/registry/codec-book.js';
import { emit, record, type Processor } from '../../runtime/processor.js';
import { jsonCodec } from './json-codec.js';

export interface Numbered {
  readonly n: number;
}

export function numberedTopic(name: string, partitions: number): Topic<Numbered> {
  return topic({
    name,
    key: 'task id',
    value: avro<Numbered>('none'),
    partitions,
    cleanup: deleteAfter({ days: 1 }),
    owner: 'tests',
  });
}

/** JSON for every topic: the loop is tested here, not the registry. */
export const jsonCodecs: CodecBook = { of: <Value>() => jsonCodec<Value>() };

/** The minimal processor: it copies each record of one topic to another. */
export function echoProcessor(
  name: string,
  from: Topic<Numbered>,
  to: Topic<Numbered>,
  more: Partial<Processor<Numbered>> = {},
): Processor<Numbered> {
  return {
    name,
    from,
    to: [to],
    batchSize: 50,
    step: (records) => Promise.resolve(records.map(({ key, value }) => emit(record(to, key, value)))),
    ...more,
  };
}
