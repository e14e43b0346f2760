import { createHash } from 'node:crypto';
import type { Account } from '../server.js';

export interface EngineAccounts {
  /** Migrates and inserts. */
  readonly writer: Account;
  /** Reads for the answers of the edge. */
  readonly edge: Account;
  /** Reads every workspace's rows, and nothing else. */
  readonly analyst: Account;
  /** Ends the engine's endless query, to stop the engine. */
  readonly engine: Account;
}

/** The database of the product; the engine's own `default` is an overlay that accepts no tables. */
export const database = 'telltale';

/** The limits of the engine, in a file next to its users. */
export function configXml(usersFile: string, logFile: string): string {
  return `<clickhouse>
  <users_config>${escape(usersFile)}</users_config>
  <log-level>warning</log-level>
  <logger><log>${escape(logFile)}</log><size>20M</size><count>2</count></logger>
  <max_server_memory_usage>2000000000</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <memory_worker_period_ms>500</memory_worker_period_ms>
  <max_concurrent_queries>100</max_concurrent_queries>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <!-- Indexes of a part in one file: on ext4, files that come and go cost more CPU than their bytes. -->
  <merge_tree><packed_skip_index_max_bytes>1048576</packed_skip_index_max_bytes></merge_tree>
</clickhouse>
`;
}

/**
 * Users with hashed passwords and grants. Nobody gets `file()` or `url()`, and all connect from this machine.
 * What a profile allows is in deploy/clickhouse/profiles.xml, which ClickHouse's own server reads too.
 */
export function usersXml({ writer, edge, analyst, engine }: EngineAccounts): string {
  return `<clickhouse>
  <profiles>
    <default/>
    <no_queries>
      <max_query_size>1</max_query_size>
      <constraints><max_query_size><readonly/></max_query_size></constraints>
    </no_queries>
    <!-- Without implicit_select=0, a syntax error is reported as something else. -->
    <app><implicit_select>0</implicit_select><allow_introspection_functions>0</allow_introspection_functions></app>
    <telltale_writer><profile>app</profile></telltale_writer>
    <!-- ClickHouse wants a gibibyte free for each thread of a query, and would read with one of all cores here. -->
    <reader>
      <profile>app</profile>
      <max_threads_min_free_memory_per_thread>104857600</max_threads_min_free_memory_per_thread>
    </reader>
    <telltale_edge><profile>reader</profile></telltale_edge>
    <telltale_analyst><profile>reader</profile></telltale_analyst>
  </profiles>
  <quotas><default/></quotas>
  <users>
${ownSession}
${userXml(engine, 'app', ['KILL QUERY ON *.*', 'SELECT ON system.processes'])}
${userXml(writer, 'telltale_writer', writerGrants)}
${userXml(edge, 'telltale_edge', edgeGrants)}
${userXml(analyst, 'telltale_analyst', analystGrants)}
  </users>
</clickhouse>
`;
}

/**
 * The engine's own session always has this user, which can have no password and logs in from loopback: by
 * HTTP, anyone could. It is refused queries longer than a byte, before they take a slot, and can't change
 * that. For its own session the engine sets the limit when it starts (engine-process.ts).
 */
const ownSession = `    <default>
      <password/><networks><ip>127.0.0.1</ip></networks><profile>no_queries</profile><quota>default</quota>
      ${grants(['SYSTEM LISTEN ON *.*', 'SELECT ON system.numbers'])}
    </default>`;

const writerGrants = [
  `ALL ON ${database}.*`,
  'SELECT, SHOW ON system.*',
  'KILL QUERY ON *.*',
  'TABLE ENGINE ON *',
];
const edgeGrants = [`SELECT ON ${database}.*`];
const analystGrants = [`SELECT, SHOW ON ${database}.*`, 'SELECT ON system.*'];

function userXml({ user, password }: Account, profile: string, granted: readonly string[]): string {
  const digest = createHash('sha256').update(password).digest('hex');
  return `    <${user}>
      <password_sha256_hex>${digest}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip><ip>::1</ip></networks><profile>${profile}</profile><quota>default</quota>
      ${grants(granted)}
    </${user}>`;
}

function grants(granted: readonly string[]): string {
  return `<grants>${granted.map((what) => `<query>GRANT ${what}</query>`).join('')}</grants>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
