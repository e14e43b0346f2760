import { readFileSync } from 'node:fs';
import type { TestStack } from './stack.js';

export type Row = Readonly<Record<string, unknown>>;

/** The queries of docs/analytics.md by question, for some chapters. */
export function questionsOf(...chapters: readonly string[]): ReadonlyMap<string, string> {
  const found = readFileSync('docs/analytics.md', 'utf8')
    .split(/^(?=## )/m)
    .filter((chapter) => chapters.some((title) => chapter.startsWith(`## ${title}\n`)));
  return new Map(
    found
      .flatMap((chapter) => chapter.split(/^(?=### )/m))
      .flatMap((section) =>
        [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(
          ([, sql = '']) => [/^#+ (.*)/.exec(section)?.[1] ?? '', sql.trim()] as const,
        ),
      ),
  );
}

/** Runs a query as the read-only user; throws ClickHouse's error if it refuses. */
export async function askAsAnalyst(stack: TestStack, sql: string): Promise<readonly Row[]> {
  const { url, analyst } = stack.clickhouse;
  const answer = await fetch(`${url}/?default_format=JSONEachRow&output_format_json_quote_64bit_integers=0`, {
    method: 'POST',
    body: sql,
    headers: { 'X-ClickHouse-User': analyst.user, 'X-ClickHouse-Key': analyst.password },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
