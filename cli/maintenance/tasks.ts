import { audit } from '../../runtime/clickhouse/audit.js';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { readApiKeys } from '../access-keys-session.js';
import { aboutToExpire } from '../doctor/access-checks.js';
import { examine } from '../doctor/doctor.js';
import { sinks } from '../sinks.js';
import type { TaskName } from './config.js';

/** The findings of a task. */
export interface Findings {
  /** Counts of the findings, for the metric; all 0 if nothing is wrong. */
  readonly counts: Readonly<Record<string, number>>;
  /** Lines for the operator, each with what to do. */
  readonly lines: readonly string[];
}

export type Task = () => Promise<Findings>;
type Environment = Readonly<Record<string, string | undefined>>;

export function maintenanceTasks(
  clickhouse: ClickHouse,
  environment: Environment,
): Readonly<Record<TaskName, Task>> {
  return {
    async audit() {
      const { duplicates, gaps } = await audit(clickhouse, sinks);
      const isWrong = duplicates + gaps > 0;
      const line = `${duplicates} rows are stored more than once, and ${gaps} are missing: see \`telltale audit\`.`;
      return { counts: { duplicates, gaps }, lines: isWrong ? [line] : [] };
    },
    async doctor() {
      const found = await examine(environment);
      const amiss = found.filter(({ verdict }) => verdict === 'problem' || verdict === 'warning');
      const count = (wanted: string): number => found.filter(({ verdict }) => verdict === wanted).length;
      return {
        counts: { problems: count('problem'), warnings: count('warning') },
        lines: amiss.map(({ check, detail, cure }) => `${check}: ${detail} ${cure ?? ''}`.trimEnd()),
      };
    },
    async keys() {
      const soon = aboutToExpire(await readApiKeys(environment), Date.now());
      return {
        counts: { expiring: soon.length },
        lines: soon.map(
          ({ key_id: id, name, workspace, expires_at: at }) =>
            `Key ${id} (${name}) of workspace ${workspace} expires at ${new Date((at ?? 0) / 1_000).toISOString()}: make a new one with \`telltale keys create\`.`,
        ),
      };
    },
  };
}
