import { createHash } from 'node:crypto';
import { TelltaleError } from '../../runtime/errors.js';
import { workspaceForm } from '../../schemas/workspace.js';
import type { Account } from '../server.js';
import { database } from './engine-config.js';

/** A user who sees the rows of one workspace. */
export interface WorkspaceAnalyst {
  readonly workspace: string;
  readonly password: string;
}

/**
 * Every table with a column `workspace`. These users can't read a table that is missing here, nor a materialized view:
 * it reads its target as its definer, without the filters of the user who asks.
 */
const tables = [
  'cluster_health',
  'cluster_indices',
  'cluster_indices_hourly',
  'cluster_nodes',
  'cluster_nodes_hourly',
  'cluster_overview',
  'cluster_recoveries',
  'cluster_shards',
  'cluster_tasks',
  'events',
  'events_1m',
  'otel_traces',
  'scoring_result_versions',
  'slow_operations',
] as const;

/** These read the tables above as the user who asks, so the filters of the tables apply. */
const views = ['events_by_minute', 'scoring_results', 'slow_operation_entries'] as const;

/** ClickHouse takes a dot in a user's name for a path in the file, and then silently drops the filters. */
export const analystAccount = ({ workspace, password }: WorkspaceAnalyst): Account => ({
  user: `analyst_${workspace.replaceAll('.', '_')}`,
  password,
});

/**
 * A file for ClickHouse's `users.d`. Throws CONFIG_INVALID if a workspace is invalid, or two share a user.
 */
export function workspaceAnalystsXml(
  analysts: readonly WorkspaceAnalyst[],
  networks: readonly string[],
): string {
  const names = new Set<string>();
  for (const analyst of analysts) {
    const { user } = analystAccount(analyst);
    if (!workspaceForm.test(analyst.workspace)) throw invalid(`${analyst.workspace} can't be a workspace`);
    if (names.has(user)) throw invalid(`two workspaces would share the user ${user}`);
    names.add(user);
  }
  const users = analysts.map((analyst) => userXml(analyst, networks));
  return `<clickhouse>\n  <users>\n${users.join('')}  </users>\n</clickhouse>\n`;
}

const invalid = (problem: string): TelltaleError =>
  new TelltaleError('CONFIG_INVALID', { problems: `  CLICKHOUSE_ANALYSTS: ${problem}` });

function userXml(analyst: WorkspaceAnalyst, networks: readonly string[]): string {
  const { user, password } = analystAccount(analyst);
  const digest = createHash('sha256').update(password).digest('hex');
  const grants = [...tables, ...views].map((name) => `GRANT SELECT ON ${database}.${name}`);
  const filter = `<filter>workspace = '${analyst.workspace}'</filter>`;
  return `    <${user}>
      <password_sha256_hex>${digest}</password_sha256_hex>
      <networks>${networks.map((ip) => `<ip>${ip}</ip>`).join('')}</networks>
      <profile>telltale_analyst</profile>
      <quota>default</quota>
      <grants>
${grants.map((grant) => `        <query>${grant}</query>\n`).join('')}      </grants>
      <databases>
        <${database}>
${tables.map((table) => `          <${table}>${filter}</${table}>\n`).join('')}        </${database}>
      </databases>
    </${user}>
`;
}
