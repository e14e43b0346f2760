import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  parseClusterStats,
  parseDataStreams,
  parseHealth,
} from '../../../../agent/collectors/parse/cluster.js';
import { noneAffected, notTold } from '../../../../agent/collectors/parse/affected-indices.js';
import { parseExplanation } from '../../../../agent/collectors/parse/explanation.js';
import { parseIndexStats } from '../../../../agent/collectors/parse/indices.js';
import { parseNodeListing, parseNodeStats } from '../../../../agent/collectors/parse/nodes.js';
import { parseTopology } from '../../../../agent/collectors/parse/topology.js';
import { parseWatermarks } from '../../../../agent/collectors/parse/watermarks.js';
import { parseRecoveries, parseTasks } from '../../../../agent/collectors/parse/work.js';

/** Published answers of versions that can't run here; the files are next to the repository. */
const folder = resolve('../shared/data/agent');
const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
const noMaster = { id: null, name: null };

describe('published answers of other versions', () => {
  before(function () {
    if (!existsSync(folder)) this.skip();
  });

  it('7.10.2: watermarks from nested defaults, with no figure of 8.x assumed', () => {
    const body = parseWatermarks(read('es-api', 'captured-7.10.2-oss', 'cluster_settings_defaults.json'), 7);
    assert.deepEqual(
      [body.low, body.high, body.flood_stage].map(({ used_ratio, source }) => [used_ratio, source]),
      [0.97, 0.98, 0.99].map((ratio) => [ratio, 'default']),
    );
    assert.equal(body.enable_for_single_data_node, false);
    assert.equal(body.low_max_headroom_bytes, null);
  });

  it('7.10.2: nodes, indices, recoveries and cluster stats', () => {
    const from = (file: string): unknown => read('es-api', 'captured-7.10.2-oss', file);
    const known = parseNodeListing(from('nodes_info.json'));
    assert.equal(known.length, parseTopology(from('nodes_info.json'), null, 200).nodes.length);
    assert.ok(known.length > 0 && known.every(({ startedAt }) => startedAt !== null));
    const stats = parseIndexStats(from('stats.json'), new Map(), 7);
    assert.ok(stats.size > 0);
    assert.ok([...stats.values()].every(({ total }) => total?.segments_memory_bytes !== null));
    const { recoveries } = parseRecoveries(from('recovery.json'));
    assert.ok(recoveries.some(({ started_at }) => started_at === 1_795_245_220_531));
    assert.ok(recoveries.every(({ started_at }) => started_at !== null));
    const cluster = parseClusterStats(from('cluster_stats.json'));
    assert.equal(cluster.memory_total_bytes, 75_829_506_048);
    assert.equal(cluster.memory_used_bytes, 32_377_761_792);
    assert.equal(parseHealth(from('cluster_health.json'), noMaster, noneAffected).no_master, false);
  });

  it('7.13.1: node statistics, with the breakers under one name', () => {
    const { nodes } = parseNodeStats([read('es-api', 'exporter', 'nodestats__7.13.1.json')], [], {
      masterId: null,
      total: 1,
      cut: 0,
      tookMs: 0,
    });
    assert.ok(nodes.length > 0);
    for (const node of nodes) {
      assert.ok(node.circuit_breakers.some(({ breaker }) => breaker === 'in_flight_requests'));
      assert.ok((node.operations.segments_memory_bytes ?? 0) > 0);
      assert.equal(node.incarnation, null, 'no listing, no incarnation');
      assert.equal(node.memory_total_bytes, 33_623_232_512);
      assert.equal(node.memory_free_bytes, 12_400_742_400);
      assert.equal(node.memory_used_bytes, 21_222_490_112);
    }
  });

  it('8.4.2: segment memory is present, always 0, and therefore not measured', () => {
    const answer = read('es-api', 'netdata-8.4.2', 'nodes_local_stats.json');
    const ids = Object.keys((answer as { nodes: object }).nodes);
    const known = ids.map((id) => ({ id, name: null, version: '8.4.2', roles: [], startedAt: null }));
    const { nodes } = parseNodeStats([answer], known, {
      masterId: null,
      total: known.length,
      cut: 0,
      tookMs: 0,
    });
    assert.ok((nodes[0]?.operations.segments_count ?? 0) > 100);
    assert.equal(nodes[0]?.operations.segments_memory_bytes, null);
    assert.ok(nodes[0].circuit_breakers.some(({ breaker }) => breaker === 'in_flight_requests'));
    assert.equal(
      parseClusterStats(read('es-api', 'netdata-8.4.2', 'cluster_stats.json')).segments_memory_bytes,
      null,
    );
  });

  it('7.15: data streams with their sizes and newest documents', () => {
    const body = parseDataStreams(read('es-api', 'exporter', 'datastream__7.15.0.json'));
    assert.deepEqual(
      body.data_streams.map(({ data_stream, store_bytes }) => [data_stream, store_bytes]),
      [
        ['bar', 673_822_720],
        ['foo', 429_205_396],
      ],
    );
    assert.equal(body.data_streams_total, 2);
  });

  it('the examples of the specification: an explanation, a recovery, tasks', () => {
    const explanation = parseExplanation(
      read(
        'allocation-explain',
        'spec',
        'cluster_allocation_explain__ClusterAllocationExplainResponseExample1.json',
      ),
      1,
      0,
    );
    assert.equal(explanation?.recommendation_code, 'filter');
    assert.ok(
      parseRecoveries(read('es-api', 'spec', 'indices_recovery__indicesRecoveryResponseExample1.json'))
        .recoveries.length > 0,
    );
    parseTasks(read('es-api', 'spec', 'tasks_list__ListTasksResponseExample1.json'));
  });

  it('of versions that are not supported at all make no parser throw', () => {
    for (const file of readdirSync(join(folder, 'es-api', 'exporter'))) {
      const answer = read('es-api', 'exporter', file);
      parseHealth(answer, noMaster, notTold);
      parseNodeStats([answer], [], { masterId: null, total: 0, cut: 0, tookMs: 0 });
      parseIndexStats(answer, new Map(), null);
      parseWatermarks(answer, null);
      parseRecoveries(answer);
      parseTasks(answer);
    }
  });
});
