import type { Codec } from '../../runtime/codec.js';
import type { Appender } from '../../runtime/kafka/appender.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import type { EventLog } from '../ports.js';
import { eventRecord } from './event-record.js';

/** Appends custom events to Kafka, batched with those of other requests. */
export function createEventLog(appender: Pick<Appender, 'append'>, codec: Codec<CustomEvent>): EventLog {
  return { append: (events) => appender.append(events.map((event) => eventRecord(codec, event))) };
}
