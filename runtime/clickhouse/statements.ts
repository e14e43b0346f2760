/**
 * Splits a migration into its statements, at the semicolons outside of strings and comments; comments are dropped.
 * Quotes are '…', "…" and `…`, with a backslash or the doubled quote to escape.
 */
export function splitStatements(sql: string): readonly string[] {
  const token =
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`|;|[^;'"`/-]+|[/-]/g;
  const statements: string[] = [];
  let current = '';
  for (const [text] of sql.matchAll(token)) {
    if (text === ';') {
      statements.push(current.trim());
      current = '';
    } else if (!text.startsWith('--') && !text.startsWith('/*')) current += text;
  }
  statements.push(current.trim());
  return statements.filter((statement) => statement !== '');
}

const repeatable = [
  /^CREATE\s+(TABLE|DATABASE|VIEW|MATERIALIZED\s+VIEW|DICTIONARY|FUNCTION)\s+IF\s+NOT\s+EXISTS\s/i,
  /^ALTER\s+TABLE\s+\S+\s+(ADD\s+(COLUMN|INDEX|PROJECTION)\s+IF\s+NOT\s+EXISTS|DROP\s+(COLUMN|INDEX|PROJECTION)\s+IF\s+EXISTS|MATERIALIZE\s+(INDEX|PROJECTION)|MODIFY)\s/i,
  /^CREATE\s+OR\s+REPLACE\s+VIEW\s/i,
  /^RENAME\s+TABLE\s+IF\s+EXISTS\s/i,
  /^DROP\s+(TABLE|VIEW|DICTIONARY|FUNCTION)\s+IF\s+EXISTS\s/i,
];

/**
 * Whether running the statement again changes nothing. ClickHouse has no transactions, and no locks that every
 * installation offers. So several processes may run a migration at once only if each of its statements is repeatable.
 */
export function isRepeatable(statement: string): boolean {
  return repeatable.some((form) => form.test(statement));
}
