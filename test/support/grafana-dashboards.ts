import { readFileSync, readdirSync } from 'node:fs';

/** A query of a dashboard, as Grafana's ClickHouse plugin would send it, and its panel. */
export interface DashboardQuery {
  readonly place: string;
  readonly sql: string;
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly rawSql: string }[];
  }[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: string }[];
  };
}

const folder = 'deploy/grafana/dashboards';

export const dashboardFiles = (): readonly string[] => readdirSync(folder).sort();

/**
 * The queries of a dashboard, with the plugin's macros expanded for the last hour and every variable set to
 * its given value.
 */
export function queriesOf(
  file: string,
  variables: Readonly<Record<string, string>>,
): readonly DashboardQuery[] {
  const { title, panels, templating } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Dashboard;
  const all = [
    ...templating.list
      .filter(({ type }) => type === 'query')
      .map(({ name, query }) => ({ place: `variable ${name}`, sql: query })),
    ...panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ rawSql }) => ({ place: panel.title, sql: rawSql })),
    ),
  ];
  return all.map(({ place, sql }) => ({ place: `${title}: ${place}`, sql: writtenOut(sql, variables) }));
}

function writtenOut(sql: string, variables: Readonly<Record<string, string>>): string {
  return sql
    .replace(/\$__timeFilter\((\w+)\)/g, '$1 >= now() - INTERVAL 1 HOUR AND $1 <= now()')
    .replace(/\$__timeInterval\((\w+)\)/g, 'toStartOfInterval(toDateTime($1), INTERVAL 60 second)')
    .replaceAll('$__interval_s', '60')
    .replace(/\$\{(\w+):singlequote\}/g, (_, name: string) => `'${variables[name] ?? ''}'`)
    .replace(/\$\{(\w+):raw\}/g, (_, name: string) => variables[name] ?? '');
}
