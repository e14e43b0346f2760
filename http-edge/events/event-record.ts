import type { Codec } from '../../runtime/codec.js';
import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';
import type { ReportedEvent } from '../../schemas/custom-event.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import { ingestEvents } from '../../topics/ingest.js';

/** What the edge knows about an event in addition to what its reporter sends. */
export interface EventContext {
  readonly workspace: string;
  readonly keyId: string;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
  readonly source: 'edge' | 'agent';
}

export function toCustomEvent(
  { metric, type, value, cluster, occurredAt }: ReportedEvent,
  { workspace, keyId, receivedAt, source }: EventContext,
): CustomEvent {
  return {
    workspace,
    key_id: keyId,
    metric,
    type,
    value,
    cluster,
    occurred_at: occurredAt ?? receivedAt,
    received_at: receivedAt,
    source,
  };
}

export function eventRecord(codec: Codec<CustomEvent>, event: CustomEvent): EncodedRecord {
  return {
    topic: ingestEvents.name,
    key: `${event.workspace}:${event.metric}`,
    value: codec.encode(event),
  };
}
