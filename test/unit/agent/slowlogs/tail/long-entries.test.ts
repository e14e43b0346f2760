import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { SlowOperationItem } from '../../../../../schemas/slow-operations.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { clusterUuid, ecsLine, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

/** Numbers without escapes. `texts` is full of escapes, so that a cut at any character hits one. */
const numbers = (characters: number): string =>
  `{"query":{"terms":{"a":[1${',22'.repeat(characters / 3)}],"password":"hunter2"}}}`;
const texts = (characters: number): string =>
  `{"query":{"terms":{"a":["\\\\\\""${',"\\"é\\\\"'.repeat(characters / 8)}],"password":"hunter2"}}}`;

describe('an entry of a slow log that is longer than the part kept in memory', () => {
  const folder = temporaryFolder();
  let outbox = memoryOutbox();
  beforeEach(() => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
  });
  async function collect(text: string, name = 'shop_index_search_slowlog.json') {
    writeFileSync(`${folder()}/logs/${name}`, text);
    const watch = await watchOver(folder(), outbox);
    await watch.collect();
    const items = outbox.taken.flatMap((put) => put.items as readonly SlowOperationItem[]);
    return { items, notes: watch.status().notes };
  }

  for (const [what, line] of [
    ['8.x', ecsLine],
    [
      '7.x',
      (source: string) =>
        searchLine(0, 7).replace(/"source": ".*?[^\\]", /, `"source": ${JSON.stringify(source)}, `),
    ],
    [
      '7.1, its source as it came',
      (source: string) => searchLine(0, 7).replace(/"source": ".*?[^\\]", /, `"source": ${source}, `),
    ],
  ] as const)
    it(`is read all the same, with what stands behind its source: ${what}`, async () => {
      for (const source of [numbers, texts].flatMap((make) => [
        make(1_200_000),
        make(3_000_000),
        make(300),
      ])) {
        outbox = memoryOutbox();
        rmSync(`${folder()}/state`, { recursive: true, force: true });
        const { items, notes } = await collect(line(source) + line('{"size":1}'));
        assert.deepEqual(notes, []);
        assert.equal(items.length, 2);
        const [long] = items;
        assert.equal(long?.took_ms, 7);
        assert.equal(long.index, 'orders');
        assert.equal(long.query?.slice(0, 60), source.slice(0, 60));
        assert.equal(long.size_at_least, source.length > 1_000_000);
        assert.ok(!JSON.stringify(items).includes('hunter2'));
      }
    });

  it('is read from a plain log, with the id behind its source', async () => {
    const head = '[2099-11-21T07:08:20,922][WARN ][i.s.s.query] [n1] [orders][1] took[7ms], took_millis[7], ';
    const { items } = await collect(
      `${head}source[${numbers(1_500_000)}], id[0190f5c4-6a1e-7d3c-8a43-1f0e2d3c4b5a], \n${head}\n`,
      'shop_index_search_slowlog.log',
    );
    assert.equal(items[0]?.opaque_id, '0190f5c4-6a1e-7d3c-8a43-1f0e2d3c4b5a');
    assert.equal(items[0].size_at_least, true);
    assert.ok(items[0].query_length > 1_000_000);
  });

  it('is counted and reported if it cannot be read', async () => {
    const broken = ecsLine('{"size":1}').replace('"log.logger"', '"log.logger');
    const { items, notes } = await collect(broken + ecsLine('{"size":1}'));
    assert.equal(items.length, 1);
    assert.match(notes.join(), /^1 of the last collection's entries could not be read/);
    assert.equal(items[0]?.cluster_uuid, clusterUuid);
  });

  it('waits for the next collection if many are long, whichever field makes them long', async () => {
    const longId = 'x'.repeat(900_000);
    const line = (number: number): string =>
      searchLine(number).replace('"cluster.uuid"', `"id": "${longId}", $&`);
    for (const name of ['search', 'indexing']) {
      const lines = Array.from({ length: 25 }, (_, at) => line(at + (name === 'search' ? 0 : 100)));
      writeFileSync(`${folder()}/logs/shop_index_${name}_slowlog.json`, lines.join(''));
    }
    const watch = await watchOver(folder(), outbox);
    const rest = [await watch.collect(), await watch.collect()];
    assert.deepEqual(rest, [true, false]);
    assert.equal(outbox.taken.flatMap(({ items }) => items).length, 50);
  });
});
