import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { storedResults as foundResults } from '../../cli/find/find-scoring.js';
import type { FindSources } from '../../cli/find/sources.js';
import type { Store } from '../../http-edge/clusters/read/store.js';
import { auditQuery } from '../../runtime/clickhouse/audit.js';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { expiryOf } from '../../runtime/clickhouse/expiry.js';
import { pageOf } from '../../http-edge/clusters/page.js';
import { queryOf } from '../../http-edge/clusters/query.js';
import { afterResult } from '../../http-edge/results/result-query.js';
import type { ResultFilter } from '../../http-edge/results/result-reader.js';
import { storedResults } from '../../http-edge/results/stored-results.js';
import { scores } from '../../schemas/scores.js';
import { scoringResultsSink } from '../../sinks/scoring-results/index.js';
import { migrateTables } from '../support/applied.js';
import { askAsAnalyst, questionsOf, type Row } from '../support/analytics-questions.js';
import { replaceByEmptyTable } from '../support/own-table.js';
import { insertResults } from '../support/result-rows.js';
import { hour, recentHour, sampleRows, slowest, sentimentDay } from '../support/sample-results.js';
import { theStack, type TestStack } from '../support/stack.js';

const queries = questionsOf('Ten questions', 'Audit');

const timestampOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const only = (rows: readonly Row[], ...names: readonly string[]): Row[] =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));

/** What each query must find in the sample. */
const findings: Readonly<Record<string, (rows: readonly Row[]) => void>> = {
  'How many requests came in, and how many failed, by metric and hour?': (rows) => {
    const [earlier, later] = [timestampOf(recentHour), timestampOf(recentHour + hour)];
    assert.deepEqual(rows, [
      { hour: later, metric: 'all', requests: 2, failed: 0, failed_percent: 0 },
      { hour: later, metric: 'hallucination', requests: 1, failed: 1, failed_percent: 100 },
      { hour: earlier, metric: 'text_metrics', requests: 4, failed: 1, failed_percent: 25 },
    ]);
  },
  'How long does each hop take?': (rows) => {
    const ofTasks = rows.filter(({ lane }) => lane === 'task');
    assert.deepEqual(
      ofTasks.map(({ p50_ms, p95_ms, p99_ms }) => [p50_ms, p95_ms, p99_ms]),
      [3, 10, 20, 4, 100, 137].map((ms) => [ms, ms, ms]),
    );
    const waits = rows.find(({ lane, hop }) => lane === 'realtime' && hop === '2 appended to taken');
    assert.ok(Number(waits?.['p99_ms']) > Number(waits?.['p50_ms']));
    assert.equal(rows.length, 12);
  },
  'Does the sentiment of prompts drift from day to day?': (rows) => {
    const days = [12, 11, 10].map(sentimentDay);
    assert.deepEqual(
      rows.filter(({ day }) => days.includes(String(day))),
      [
        { day: days[0], prompts: 2, mean: 0.6, change: null, negative_percent: 0 },
        { day: days[1], prompts: 2, mean: 0.1, change: -0.5, negative_percent: 50 },
        { day: days[2], prompts: 1, mean: -0.7, change: -0.8, negative_percent: 100 },
      ],
    );
  },
  'How hard to read are the prompts?': (rows) => {
    assert.deepEqual(rows, [
      { ease_from: 0, prompts: 1, percent: 20, mean_grade: 21 },
      { ease_from: 60, prompts: 2, percent: 40, mean_grade: 7.5 },
      { ease_from: 90, prompts: 2, percent: 40, mean_grade: 2 },
    ]);
  },
  'Which sensitive patterns do texts contain?': (rows) => {
    assert.deepEqual(only(rows, 'text', 'pattern', 'texts', 'workspaces'), [
      { text: 'prompt', pattern: 'email address', texts: 2, workspaces: 2 },
      { text: 'prompt', pattern: 'SSN', texts: 1, workspaces: 1 },
      { text: 'response', pattern: 'phone number', texts: 1, workspaces: 1 },
    ]);
  },
  'Which kinds of personal data were found, and by whom were they sent?': (rows) => {
    assert.deepEqual(rows, [
      { workspace: 'lighthouse', text: 'prompt', type: 'EMAIL_ADDRESS', texts: 2 },
      { workspace: 'lighthouse', text: 'prompt', type: 'CREDIT_CARD', texts: 1 },
      { workspace: 'lighthouse', text: 'response', type: 'PHONE_NUMBER', texts: 1 },
    ]);
  },
  'What could not be computed, and why?': (rows) => {
    assert.deepEqual(only(rows, 'missing_metric', 'reason', 'requests', 'failed'), [
      { missing_metric: 'hallucination', reason: 'No language model is configured.', requests: 3, failed: 1 },
      { missing_metric: 'text_toxicity', reason: 'No toxicity model is configured.', requests: 2, failed: 0 },
      { missing_metric: 'text_metrics', reason: 'The calculation failed.', requests: 1, failed: 1 },
    ]);
  },
  'What did a new version of a scorer change?': (rows) => {
    assert.deepEqual(only(rows, 'version', 'prompts', 'mean_sentiment', 'mean_ease', 'syllables_a_word'), [
      { version: 'textstat/1', prompts: 2, mean_sentiment: 0.1, mean_ease: 64, syllables_a_word: 1.5 },
      { version: 'textstat/2', prompts: 3, mean_sentiment: 0.5, mean_ease: 60, syllables_a_word: 2 },
    ]);
  },
  'Which requests were slowest, and where did they wait?': (rows) => {
    assert.equal(rows.length, 7);
    assert.deepEqual(rows[0], {
      task_id: slowest,
      workspace: 'lighthouse',
      lane: 'realtime',
      metric: 'all',
      total_ms: 932,
      waited_ms: 905,
      scoring_ms: 20,
      characters: 40,
    });
  },
  'Who asks most?': (rows) => {
    assert.deepEqual(only(rows, 'workspace', 'key_id', 'requests', 'percent', 'realtime', 'failed'), [
      { workspace: 'harbour', key_id: 'k1', requests: 4, percent: 57.1, realtime: 0, failed: 1 },
      { workspace: 'lighthouse', key_id: 'k2', requests: 3, percent: 42.9, realtime: 2, failed: 1 },
    ]);
  },
  'Is every record in the table, and only once?': (rows) => {
    assert.deepEqual(rows, [{ duplicates: 1, gaps: 1, expired: 0 }]);
  },
  'Which results are at two offsets?': (rows) => {
    assert.deepEqual(rows, []);
  },
  'Which offsets are doubled, or missing?': (rows) => {
    assert.deepEqual(rows, [
      { _topic: 'scoring.results', _partition: 0, offset: 4, copies: 2 },
      { _topic: 'scoring.results', _partition: 1, offset: 11, copies: 0 },
    ]);
  },
};

describe('docs/analytics.md', function () {
  let stack: TestStack;
  let clickhouse: ClickHouse;
  let putBack: (() => Promise<void>) | undefined;

  const asAnalyst = (sql: string): Promise<readonly Row[]> => askAsAnalyst(stack, sql);

  before(async () => {
    stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    putBack = await replaceByEmptyTable(clickhouse, scoringResultsSink.table);
    await insertResults(clickhouse, sampleRows());
  });

  after(async () => {
    await putBack?.();
    await clickhouse.close();
  });

  it('asks ten questions and audits, and this test knows the answer to each', () => {
    assert.deepEqual([...queries.keys()], Object.keys(findings));
    assert.ok(queries.size >= 12 && [...queries.keys()].every((question) => question.endsWith('?')));
  });

  for (const [question, sql] of queries) {
    it(`answers: ${question}`, async () => findings[question]?.(await asAnalyst(sql)));
  }

  it('audits as `telltale audit` does', async () => {
    assert.equal(
      queries.get('Is every record in the table, and only once?'),
      auditQuery(scoringResultsSink.table, 'one', await expiryOf(clickhouse, scoringResultsSink.table)),
    );
  });

  describe('the list of results', () => {
    const countOf = async (workspace: string, filter: ResultFilter): Promise<number> => {
      const { url, edge } = stack.clickhouse;
      const reader = connectClickHouse({ url, ...edge });
      const range = { from: (recentHour - 40 * 24 * hour) * 1_000, to: (recentHour + 2 * hour) * 1_000 };
      const page = pageOf(queryOf('/?limit=100'), afterResult);
      try {
        const list = await storedResults(reader).list(workspace, page, range, filter);
        return (list as { results: readonly object[] }).results.length;
      } finally {
        await reader.close();
      }
    };

    it('can be limited to a lane, a key, a label and a score range, within one workspace', async () => {
      const score = 'prompt_sentiment_lexicon';
      const counts = async (workspace: string): Promise<readonly number[]> =>
        Promise.all(
          [
            { lane: 'task' },
            { lane: 'realtime' },
            { key: 'k1' },
            { key: 'k2' },
            { label: 'PHONE_NUMBER' },
            { label: 'SSN' },
            { label: 'nothing' },
            { score, min: -0.1, max: 0.3 } as const,
            { score, min: 0.4 } as const,
          ].map((filter) => countOf(workspace, filter)),
        );
      assert.deepEqual(await counts('nobody'), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
      assert.deepEqual(await counts('harbour'), [11, 0, 11, 0, 0, 0, 0, 4, 4]);
      assert.deepEqual(await counts('lighthouse'), [1, 2, 0, 3, 1, 1, 0, 0, 2]);
    });
  });

  it('says for one workspace how long each hop took, and all hops together', async () => {
    const { url, edge } = stack.clickhouse;
    const reader = connectClickHouse({ url, ...edge });
    const range = { from: (recentHour - hour) * 1_000, to: (recentHour + 2 * hour) * 1_000 };
    const hopTimes = async (workspace: string): Promise<object> =>
      ((await storedResults(reader).hopTimes(workspace, range)) as { lanes: object }).lanes;
    const took = (hop: string, ms: number): object => ({ hop, p50_ms: ms, p95_ms: ms, p99_ms: ms });
    try {
      assert.deepEqual(await hopTimes('harbour'), [
        {
          ...{ lane: 'task', results: 4 },
          hops: [
            ...[took('append', 3), took('wait', 10), took('score', 20), took('append_result', 4)],
            ...[took('store', 100), took('all', 137)],
          ],
        },
      ]);
      assert.deepEqual(await hopTimes('nobody'), []);
    } finally {
      await reader.close();
    }
  });

  describe('the trend of a score', () => {
    interface Trend {
      readonly step_seconds: number;
      readonly whole: object;
      readonly points: readonly { readonly at: string; readonly results: number; readonly scored: number }[];
    }
    const trendOf = async (workspace: string, metric?: string): Promise<Trend> => {
      const { url, edge } = stack.clickhouse;
      const reader = connectClickHouse({ url, ...edge });
      const range = { from: (recentHour - hour) * 1_000, to: (recentHour + 2 * hour) * 1_000 };
      const filter = metric === undefined ? {} : { metric };
      try {
        return (await storedResults(reader).trends(
          workspace,
          range,
          'prompt_sentiment_lexicon',
          filter,
        )) as Trend;
      } finally {
        await reader.close();
      }
    };

    it('covers one workspace, with null if no result has the score', async () => {
      const { step_seconds: step, whole, points } = await trendOf('harbour');
      const some = { results: 4, scored: 3, min: -0.1, max: 0.5, p50: 0.3 };
      assert.deepEqual([step, points.length], [300, 36]);
      for (const figures of [whole, points[12]]) {
        assert.deepEqual({ ...figures, ...some }, figures);
        assert.ok(Math.abs((figures as { mean: number }).mean - 0.7 / 3) < 1e-9);
      }
      assert.equal(points[12]?.at, new Date(recentHour).toISOString());
      const none = {
        results: 0,
        scored: 0,
        mean: null,
        min: null,
        max: null,
        p05: null,
        p50: null,
        p95: null,
      };
      assert.deepEqual(points[11], { at: points[11]?.at, ...none });
      assert.deepEqual((await trendOf('nobody')).whole, none);
      assert.equal(
        points.reduce((sum, { scored }) => sum + scored, 0),
        3,
      );
    });

    it('counts results that match the filter but lack the score', async () => {
      const { whole } = await trendOf('lighthouse', 'hallucination');
      assert.deepEqual({ ...whole, results: 1, scored: 0, p50: null }, whole);
    });

    it('is available for every numeric column', async () => {
      const columns = await clickhouse.query<{ name: string }>(
        "SELECT name FROM system.columns WHERE database = 'telltale' AND table = 'scoring_results' AND type IN ('Nullable(Float64)', 'Nullable(UInt32)')",
      );
      assert.deepEqual(columns.map(({ name }) => name).sort(), [...scores].sort());
    });
  });

  describe('after many texts were scored again', () => {
    const workspace = 'again';
    const ids = [randomUUID(), randomUUID()] as const;
    const others = 100_000;
    const limits = { seconds: 8, rows: 60_000, memoryBytes: 600_000_000 };
    const range = { from: recentHour * 1_000, to: (recentHour + hour) * 1_000 };
    let reader: ClickHouse;
    let store: Store;

    before(async () => {
      reader = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.edge });
      store = { query: (sql, parameters) => reader.query(sql, parameters, limits) };
      const [once, twice] = ids;
      const insert = (rows: string): Promise<void> =>
        clickhouse.command(
          `INSERT INTO telltale.scoring_result_versions (task_id, workspace, metric, accepted_at, version, prompt, prompt_toxicity) ${rows}`,
        );
      const rowsOf = [
        [once, 0],
        [twice, 0],
        [twice, 1],
        [twice, 2],
      ] as const;
      await insert(
        `VALUES ${rowsOf
          .map(
            ([id, version]) =>
              `('${id}', '${workspace}', 'all', fromUnixTimestamp64Milli(${recentHour}, 'UTC'), ${version}, 'version ${version}', ${version})`,
          )
          .join(', ')}`,
      );
      await insert(`SELECT generateUUIDv4(), if(number % 2 = 0, 'others', '${workspace}'), 'all',
        fromUnixTimestamp64Milli(${recentHour} - if(number % 2 = 0, 0, ${hour}), 'UTC'), 1, '', 0 FROM numbers(${others})`);
    });
    after(() => reader.close());

    it('the newest results of a workspace and range are read, and no others', async () => {
      const page = pageOf(queryOf('/?limit=100'), afterResult);
      const results = storedResults(store);
      const list = (await results.list(workspace, page, range, {})) as {
        results: { id: string; prompt: string }[];
      };
      assert.deepEqual(
        new Map(list.results.map(({ id, prompt }) => [id, prompt])),
        new Map([
          [ids[0], 'version 0'],
          [ids[1], 'version 2'],
        ]),
      );
      const older = await results.list(workspace, page, range, { score: 'prompt_toxicity', min: 1, max: 1 });
      assert.deepEqual((older as typeof list).results, []);
      const { whole } = (await results.trends(workspace, range, 'prompt_toxicity', {})) as { whole: object };
      assert.deepEqual({ ...whole, results: 2, min: 0, max: 2 }, whole);
    });

    it('one is read by its id', async () => {
      const [, twice] = ids;
      const one = (await storedResults(store).one(workspace, twice)) as { prompt: string };
      assert.equal(one.prompt, 'version 2');
      const sources = { clickhouse: store } as FindSources;
      for (const of of [workspace, undefined]) {
        const question = { workspace: of, signal: AbortSignal.timeout(10_000) };
        assert.equal((await foundResults(twice, question, sources)).length, 1);
      }
    });
  });

  it('is for an analyst who can change nothing', async () => {
    for (const sql of [
      "INSERT INTO telltale.scoring_results (workspace) VALUES ('mine')",
      'ALTER TABLE telltale.scoring_results DELETE WHERE 1',
      'TRUNCATE TABLE telltale.scoring_results',
      'DROP TABLE telltale.scoring_results',
      'CREATE TABLE telltale.mine (a UInt8) ENGINE = Memory',
    ])
      await assert.rejects(asAnalyst(sql), /READONLY|ACCESS_DENIED|readonly|Not enough privileges/, sql);
  });
});
