import { stageTimestamps } from '../../schemas/hops.js';
import { iso, isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { Page } from '../clusters/page.js';
import { newestIn } from './newest-versions.js';
import { conditionsOf } from './result-conditions.js';
import { readHopTimes } from './stored-hop-times.js';
import { readTrends } from './stored-trends.js';
import type { AfterResult, BoundedRange, ResultFilter, ResultReader } from './result-reader.js';

const shown = [
  'lane',
  'metric',
  'key_id',
  'error',
  'prompt_sentiment_lexicon',
  'prompt_toxicity',
  'prompt_closest_topic',
  'prompt_has_patterns',
  'prompt_pii_engine_entities_count',
  'prompt_flesch_reading_ease',
] as const;
/** Whole texts come only with a single result: a page of them could be a hundred megabytes. */
const previewLength = 200;
const endOfTime = Number.MAX_SAFE_INTEGER;
const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Reads results from ClickHouse as a read-only user. */
export function storedResults(store: Store): ResultReader {
  return {
    list: (workspace, page, range, filter) => readResults(store, workspace, page, range, filter),
    trends: (workspace, range, score, filter) => readTrends(store, workspace, range, score, filter),
    hopTimes: (workspace, range) => readHopTimes(store, workspace, range),
    one: (workspace, id) => readResult(store, workspace, id),
  };
}

/** Newest first. Results that are stored between requests don't move others to another page. */
async function readResults(
  store: Store,
  workspace: string,
  page: Page<AfterResult>,
  range: BoundedRange,
  filter: ResultFilter,
): Promise<object> {
  const after = page.after ?? { at: endOfTime, id: lastUuid };
  const rows = await store.query<StoredRow>(
    `SELECT toString(task_id) AS id, toUnixTimestamp64Micro(accepted_at) AS at_us, toString(accepted_at) AS at_text,
        substringUTF8(prompt, 1, ${previewLength}) AS prompt_start, lengthUTF8(prompt) AS prompt_length,
        isNotNull(response) AS has_response, ${shown.join(', ')}
     FROM telltale.scoring_result_versions
     WHERE ${newestIn(`workspace = {workspace:String} AND accepted_at >= fromUnixTimestamp64Micro({since:Int64})
       AND accepted_at < fromUnixTimestamp64Micro({until:Int64})
       AND accepted_at <= fromUnixTimestamp64Micro({at:Int64})`)}
       AND (accepted_at < fromUnixTimestamp64Micro({at:Int64}) OR task_id < {id:UUID})
       ${conditionsOf(filter)}
     ORDER BY accepted_at DESC, task_id DESC LIMIT {limit:UInt32}`,
    { workspace, ...filter, ...after, since: range.from, until: range.to, limit: page.limit + 1 },
  );
  const results = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? results.at(-1) : undefined;
  return {
    from: isoOfMillis(range.from / 1_000),
    to: isoOfMillis(range.to / 1_000),
    results: results.map((row) => ({
      id: row['id'],
      accepted_at: iso(row['at_text']),
      prompt: row['prompt_start'],
      prompt_cut: Number(row['prompt_length']) > previewLength,
      has_response: Boolean(row['has_response']),
      ...Object.fromEntries(shown.map((column) => [column, row[column] ?? null])),
    })),
    next:
      last === undefined ? null : page.cursors.write({ at: Number(last['at_us']), id: String(last['id']) }),
  };
}

async function readResult(store: Store, workspace: string, id: string): Promise<object | undefined> {
  const [row] = await store.query<StoredRow>(
    `SELECT toString(task_id) AS id, lane, metric, key_id, error, prompt, response, metrics, unavailable, scorer_versions,
        pattern_places, ${stageTimestamps.map((name) => `toString(${name}) AS ${name}_text`).join(', ')}
     FROM telltale.scoring_result_versions WHERE workspace = {workspace:String} AND task_id = {id:UUID}
     ORDER BY version DESC LIMIT 1`,
    { workspace, id },
  );
  if (row === undefined) return undefined;
  const { lane, metric, key_id, error, prompt, response, metrics } = row;
  const { unavailable, scorer_versions, pattern_places } = row;
  return {
    ...{ id: row['id'], lane, metric, key_id, error: error ?? null, prompt, response: response ?? null },
    metrics: typeof metrics === 'string' ? (JSON.parse(metrics) as object) : null,
    ...{ unavailable, scorer_versions, pattern_places },
    ...Object.fromEntries(stageTimestamps.map((name) => [name, iso(row[`${name}_text`])])),
  };
}
