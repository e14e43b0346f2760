import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import type { EventType } from '../../schemas/custom-event.js';
import { eventsSink } from '../../sinks/events/index.js';
import { encoderOf, insertRecords, type RecordToInsert } from './insert-records.js';

/** An event as a test specifies it. */
export interface SampleEvent {
  readonly metric: string;
  readonly type: EventType;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly cluster?: string;
}

/** Rows of telltale.events as the sink writes them, in a workspace that no other test uses. */
export interface EventRows {
  readonly workspace: string;
  /** Inserts the events under the token, as one block. Their offsets continue after the last ones. */
  insert(events: readonly SampleEvent[], token?: string): Promise<void>;
  /** Inserts the same records under the same token, as after a lost answer. */
  repeatLast(): Promise<void>;
}

const encode = encoderOf(eventsSink);

export function eventRows(clickhouse: ClickHouse): EventRows {
  const workspace = `events-${randomUUID().slice(0, 8)}`;
  let next = 0;
  let last: { readonly records: readonly RecordToInsert[]; readonly token: string } | undefined;
  const recordOf = ({ at, cluster, ...event }: SampleEvent): RecordToInsert => ({
    offset: next++,
    timestamp: at,
    value: encode({
      ...{ ...event, workspace, key_id: 'k', cluster: cluster ?? null, source: 'edge' },
      ...{ occurred_at: at * 1_000, received_at: at * 1_000 },
    }),
  });
  const send = async (): Promise<void> => {
    if (last === undefined) return;
    const { records, token } = last;
    const previous = (records[0]?.offset ?? 0) - 1;
    await insertRecords(clickhouse, eventsSink, records, { token, topic: workspace, previous });
  };
  return {
    workspace,
    async insert(events, token = randomUUID()) {
      last = { records: events.map((event) => recordOf(event)), token };
      await send();
    },
    repeatLast: send,
  };
}
