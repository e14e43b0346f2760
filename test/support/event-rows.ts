import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { EventType } from '../../schemas/custom-event.js';

/** An event as a test means it. */
export interface SampleEvent {
  readonly metric: string;
  readonly type: EventType;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly cluster?: string;
}

/** Rows of telltale.events as the sink would write them, in one workspace that no other test knows. */
export interface EventRows {
  readonly workspace: string;
  /** Inserts the events under the token, as one block; their offsets go on where the last ones ended. */
  insert(events: readonly SampleEvent[], token?: string): Promise<void>;
  /** The same bytes under the same token, as after an answer that was lost. */
  repeatLast(): Promise<void>;
}

export function eventRows(clickhouse: ClickHouse): EventRows {
  const workspace = `events-${randomUUID().slice(0, 8)}`;
  let offset = 0;
  let last: { readonly rows: Buffer; readonly token: string } | undefined;
  const send = ({ rows, token }: { readonly rows: Buffer; readonly token: string }): Promise<void> =>
    clickhouse.insert('telltale.events', rows, token);
  return {
    workspace,
    async insert(events, token = randomUUID()) {
      const rows = events.map(({ metric, type, value, at, cluster = '' }) => {
        const moment = timestamp(at * 1_000);
        offset += 1;
        return JSON.stringify({
          ...{ workspace, metric, type, value, cluster, occurred_at: moment, received_at: moment },
          ...{ appended_at: moment, key_id: 'k', source: 'edge', _topic: workspace, _partition: 0 },
          ...{ _run: '', _offset: offset, _previous_offset: offset - 1 === 0 ? -1 : offset - 1 },
        });
      });
      last = { rows: Buffer.from(rows.map((row) => `${row}\n`).join('')), token };
      await send(last);
    },
    async repeatLast() {
      if (last !== undefined) await send(last);
    },
  };
}
