import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { catalogue } from '../../../topics/catalogue.js';

const dayMs = 86_400_000;
/** Intermediate topics, which keep data at most as long as the data from which it is derived. */
const between =
  /^(scoring\.(requests\..+|replies|scorers)|clusters\.(overview|nodes|indices|shards|tasks|recoveries))$/;

/** Days of retention by topic and by table. */
function keptDays(): Map<string, string> {
  const topics = Object.values(catalogue).map(({ name, cleanup: { retentionMs } }): [string, string] => [
    name,
    retentionMs === undefined ? 'for good' : String(retentionMs / dayMs),
  ]);
  const statements = readdirSync('sinks', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort((one, other) => basename(one).localeCompare(basename(other)))
    .flatMap((file) => readFileSync(join('sinks', file), 'utf8').split(';'));
  const tables = statements.flatMap((statement): [string, string][] => {
    const [, table, days] =
      /TABLE (?:IF NOT EXISTS )?telltale\.(\w+)[^]*TTL [^]*INTERVAL (\d+) DAY/.exec(statement) ?? [];
    return table === undefined || days === undefined ? [] : [[table, days]];
  });
  return new Map([...topics, ...tables]);
}

describe('docs/security.md', () => {
  const [, section = ''] = readFileSync('docs/security.md', 'utf8').split('## What is stored where');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').map((line) => line.split('|').slice(1, 4));
  const kept = keptDays();
  const namesIn = (where = ''): string[] =>
    [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).filter((name) => kept.has(name));

  it('says how long each topic and table is kept', () => {
    for (const [what = '', where, long = ''] of rows) {
      const names = namesIn(where);
      const told = [...long.matchAll(/(\d+) days?\b|for good/g)].map(([text, days]) => days ?? text);
      const wanted = names.map((name) => kept.get(name));
      if (names.length > 0) assert.deepEqual(told, wanted, what.trim());
    }
  });

  it('names each topic that keeps something of its own', () => {
    const named = new Set(rows.flatMap(([, where]) => namesIn(where)));
    const topics = Object.values(catalogue).map(({ name }) => name);
    assert.deepEqual(
      topics.filter((name) => !named.has(name) && !between.test(name)),
      [],
    );
  });
});
