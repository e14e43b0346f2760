import assert from 'node:assert/strict';
import type { Producer } from 'kafkajs';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { ingestEvents } from '../../topics/ingest.js';
import { connectedProducer, plainKafka } from './kafka.js';
import type { TestStack } from './stack.js';
import { until } from './until.js';

/** Events of one workspace, which a test counts in their table and its rollup. */
export interface EventsTable {
  readonly clickhouse: ClickHouse;
  readonly sent: number;
  send(count: number): Promise<void>;
  /** The counts of the table and the rollup. */
  figures(): Promise<Readonly<Record<string, number>>>;
  /** The expected counts. */
  right(): Readonly<Record<string, number>>;
  /** Resolves once everything sent is stored. */
  stored(): Promise<void>;
  /** Changes the rows as a wrong mapping would have done. */
  spoil(): Promise<void>;
  /** The table that a replay fills; undefined while there is none. */
  shadow(): Promise<string | undefined>;
  /**
   * Resolves once a replay's table refuses every row because of its `value`. The replay must be slow enough
   * to still be running then.
   */
  damageShadow(): Promise<void>;
  /** Asserts that no shadow, mark or gate is left. */
  assertNothingIsLeft(): Promise<void>;
  stop(): Promise<void>;
}

export async function eventsTable(stack: TestStack, workspace: string): Promise<EventsTable> {
  const clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  const codec = await openCodec(ingestEvents, connectRegistry(stack.registryConfig));
  const producer: Producer = await connectedProducer(plainKafka(stack.brokers));
  let sent = 0;

  const shadow = async (): Promise<string | undefined> => {
    const [found] = await clickhouse.query<{ table: string }>(
      `SELECT concat(database, '.', name) AS table FROM system.tables WHERE match(name, '^events_replay_[0-9a-f]+$')`,
    );
    return found?.table;
  };

  const figures = async (): Promise<Readonly<Record<string, number>>> => {
    const [row] = await clickhouse.query<Record<string, string>>(
      `SELECT count() AS rows, uniqExact(_partition, _run, _offset) AS records, sum(value) AS total,
         (SELECT sum(events) FROM telltale.events_1m WHERE workspace = {workspace:String}) AS in_rollup,
         (SELECT sum(total) FROM telltale.events_1m WHERE workspace = {workspace:String}) AS total_in_rollup
       FROM telltale.events WHERE workspace = {workspace:String}`,
      { workspace },
    );
    return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
  };
  return {
    clickhouse,
    get sent() {
      return sent;
    },
    async send(count) {
      const at = Date.now() * 1_000;
      const messages = Array.from({ length: count }, () => {
        const value = (sent += 1);
        const event = { workspace, key_id: 'k', metric: `m${value % 20}`, type: 'increment', value };
        return {
          key: `${workspace}:${event.metric}`,
          value: codec.encode({ ...event, cluster: null, occurred_at: at, received_at: at, source: 'edge' }),
        };
      });
      await producer.send({ topic: ingestEvents.name, messages });
    },
    figures,
    right() {
      const total = (sent * (sent + 1)) / 2;
      return { rows: sent, records: sent, total, in_rollup: sent, total_in_rollup: total };
    },
    // A row is stored a moment before its rollup.
    stored: () =>
      until('all is stored', async () => {
        const { rows, in_rollup } = await figures();
        return rows === sent && (in_rollup ?? 0) >= sent;
      }),
    async spoil() {
      await clickhouse.command(
        `ALTER TABLE telltale.events UPDATE value = value + 1000 WHERE workspace = '${workspace}' SETTINGS mutations_sync = 2`,
      );
      await clickhouse.command(
        `ALTER TABLE telltale.events_1m DELETE WHERE workspace = '${workspace}' SETTINGS mutations_sync = 2`,
      );
    },
    shadow,
    damageShadow: () =>
      until('the shadow is damaged while it is being filled', async () => {
        const found = await shadow();
        if (found === undefined) return false;
        // A constraint, because a column can't be dropped once the shadow's views read it.
        const damage = clickhouse.command(
          `ALTER TABLE ${found} ADD CONSTRAINT IF NOT EXISTS damaged CHECK value < -1e300`,
        );
        return damage.then(
          () => true,
          () => false,
        );
      }),
    async assertNothingIsLeft() {
      const left = await clickhouse.query(
        `SELECT name FROM system.tables WHERE database = 'telltale'
         AND (match(name, '_replay_') OR position(create_table_query, 'telltale_replay') > 0)`,
      );
      assert.deepEqual(left, []);
    },
    async stop() {
      await producer.disconnect();
      await clickhouse.close();
    },
  };
}
