/** The scope of every query: rows of one workspace, and of a stretch of time. */
export interface SqlScope {
  readonly workspace: string;
  readonly from: string;
  readonly to: string;
}

/** A text as ClickHouse reads it. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A timestamp of the API as ClickHouse reads it. */
export const timestampSql = (timestamp: string): string =>
  `parseDateTime64BestEffort(${quoted(timestamp)}, 6, 'UTC')`;

export const ofWorkspace = ({ workspace }: SqlScope): string => `workspace = ${quoted(workspace)}`;

/** The same scope from so many milliseconds earlier on. */
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

/** The beginning of the step that a column's timestamp is in, as the API computes it. */
export const stepOf = (column: string, seconds: number): string =>
  `toDateTime(intDiv(toUnixTimestamp(${column}), ${seconds}) * ${seconds}, 'UTC')`;

interface Statement {
  readonly select: readonly string[];
  readonly from: string;
  readonly where: readonly string[];
  /** The clauses after the conditions: GROUP BY and so on, a line each. */
  readonly rest: readonly string[];
}

export const statement = ({ select, from, where, rest }: Statement): string =>
  [`SELECT\n    ${select.join(',\n    ')}`, `FROM ${from}`, `WHERE ${where.join('\n  AND ')}`, ...rest].join(
    '\n',
  );
