import assert from 'node:assert/strict';
import { slowOperationColumns, slowOperationFields } from '../../schemas/slow-operations.js';
import {
  documentOf,
  isSecure,
  plantedNames,
  plantedSecret,
  traceId,
  watchedIndex,
  type WatchedCluster,
} from './watched-clusters.js';

/** A row of the table, or an entry of the API's answer. */
export type StoredSlowOperation = Readonly<Record<string, unknown>>;

const digest = /^hmac-[0-9a-f]{24}$/;

/** The fields of an entry whose values come from its cluster. */
async function known({ uuid, version, ask }: WatchedCluster): Promise<StoredSlowOperation> {
  const { nodes } = (await ask('GET', '/_nodes/_all/http')) as { nodes: object };
  const { cluster_name: name } = (await ask('GET', '/')) as { cluster_name: string };
  return {
    workspace: 'watched-cluster',
    cluster_uuid: uuid,
    cluster_name: name,
    node_id: Object.keys(nodes)[0],
    node_name: 'n1',
    index: watchedIndex,
    user: isSecure(version) ? digest : null,
    withheld: null,
  };
}

const search: StoredSlowOperation = {
  kind: 'search',
  index_uuid: null,
  shard: 0,
  total_hits: 1,
  total_hits_at_least: false,
  search_type: 'QUERY_THEN_FETCH',
  total_shards: 1,
  stats: ['checkout'],
  opaque_id: digest,
  document_id: null,
  routing: null,
  trace_id: traceId,
  query: /^\{"size":1,"query":\{"bool":.*\[redacted\]/,
  source_bytes: null,
  source: null,
  source_cut: false,
  size_at_least: false,
};

async function indexing({ version, ask }: WatchedCluster, number: number): Promise<StoredSlowOperation> {
  const settings = (await ask('GET', `/${watchedIndex}/_settings`)) as {
    readonly [index: string]: { readonly settings: { readonly index: { readonly uuid: string } } };
  };
  const document = JSON.stringify(documentOf(number));
  const isStored = version === '7.17.15';
  return {
    kind: 'indexing',
    phase: 'index',
    level: 'debug',
    index_uuid: settings[watchedIndex]?.settings.index.uuid,
    shard: null,
    total_hits: null,
    total_hits_at_least: false,
    search_type: null,
    total_shards: null,
    stats: [],
    opaque_id: null,
    document_id: digest,
    routing: digest,
    trace_id: null,
    query: null,
    query_length: null,
    query_cut: false,
    source_bytes: Buffer.byteLength(document),
    source: isStored ? document.replace(plantedSecret, '[redacted]') : null,
    source_cut: false,
    size_at_least: false,
    redactions: isStored ? 1 : 0,
  };
}

function assertIs(row: StoredSlowOperation, wanted: StoredSlowOperation): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (value instanceof RegExp) assert.match(String(row[name]), value, name);
    else assert.deepEqual(row[name], value, name);
  }
}

/** Checks that a cluster with this many rounds of slow operations has a row for each, once. */
export async function checkSlowOperations(
  cluster: WatchedCluster,
  rows: readonly StoredSlowOperation[],
  times: number,
): Promise<void> {
  assert.deepEqual(
    rows.map(({ phase }) => phase),
    Array.from({ length: times }, () => ['index', 'query', 'fetch']).flat(),
    cluster.version,
  );
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  const told = JSON.stringify(rows);
  for (const hidden of [plantedSecret, ...plantedNames]) assert.ok(!told.includes(hidden), told);
  const beside = ['workspace', 'received_at'];
  const common = await known(cluster);
  for (const [index, row] of rows.entries()) {
    const columns = Object.keys(row).filter((name) => !name.startsWith('_') && name !== 'inserted_at');
    assert.deepEqual(columns.sort(), [...slowOperationFields, ...beside].sort());
    assertIs(row, common);
    assert.ok(Number(row['took_ms']) >= 0 && String(row['at']) <= String(row['received_at']));
    if (row['kind'] === 'indexing') {
      assertIs(row, await indexing(cluster, Math.floor(index / 3) + 1));
      continue;
    }
    assertIs(row, { ...search, level: row['phase'] === 'query' ? 'warn' : 'info' });
    const cut = cluster.version === '9.4.3';
    assert.equal(row['query_cut'], cut);
    assert.ok(Number(row['query_length']) > 200);
    assert.ok(Number(row['redactions']) >= (cut ? 1 : 3), String(row['query']));
    assert.ok(String(row['query']).length <= (cut ? 150 : 2_000));
  }
  const ids = rows.flatMap((row) => (row['document_id'] === null ? [] : [row['document_id']]));
  assert.equal(new Set(ids).size, times, 'another id has another digest');
  assert.equal(new Set(rows.map(({ routing }) => routing)).size, 2, 'and the same one the same');
}

/** Checks the API's answer against the rows of the table, in its order: newest first. */
export function checkAnswered(
  answered: readonly StoredSlowOperation[],
  rows: readonly StoredSlowOperation[],
) {
  const wanted = new Map(
    rows.map((row) => {
      const told = slowOperationColumns.map((column) => [column, row[column]] as const);
      return [row['id'], { at: `${String(row['at']).replace(' ', 'T')}Z`, ...Object.fromEntries(told) }];
    }),
  );
  assert.deepEqual(new Map(answered.map((entry) => [entry['id'], entry])), wanted);
  const times = answered.map(({ at }) => String(at));
  assert.deepEqual(times, times.toSorted().reverse());
}
