/** The scope of every query: one workspace and one period. */
export interface SqlScope {
  readonly workspace: string;
  readonly from: string;
  readonly to: string;
}

/** A text as a ClickHouse string literal. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A timestamp of the API as a ClickHouse expression. */
export const timestampSql = (timestamp: string): string =>
  `parseDateTime64BestEffort(${quoted(timestamp)}, 6, 'UTC')`;

export const ofWorkspace = ({ workspace }: SqlScope): string => `workspace = ${quoted(workspace)}`;

/** The same scope, but starting this many milliseconds earlier. */
export const earlierBy = (ms: number, scope: SqlScope): SqlScope => ({
  ...scope,
  from: new Date(Date.parse(scope.from) - ms).toISOString(),
});

/** The conditions that restrict a table to a scope, by its timestamp column. */
export const inScope = (column: string, scope: SqlScope): readonly string[] => [
  ofWorkspace(scope),
  `${column} >= ${timestampSql(scope.from)}`,
  `${column} < ${timestampSql(scope.to)}`,
];

/** The start of the step that contains a column's timestamp, as the API computes it. */
export const stepOf = (column: string, seconds: number): string =>
  `toDateTime(intDiv(toUnixTimestamp(${column}), ${seconds}) * ${seconds}, 'UTC')`;

interface Statement {
  readonly select: readonly string[];
  readonly from: string;
  readonly where: readonly string[];
  /** The clauses after the conditions (GROUP BY and so on), one per line. */
  readonly rest: readonly string[];
}

export const statement = ({ select, from, where, rest }: Statement): string =>
  [`SELECT\n    ${select.join(',\n    ')}`, `FROM ${from}`, `WHERE ${where.join('\n  AND ')}`, ...rest].join(
    '\n',
  );
