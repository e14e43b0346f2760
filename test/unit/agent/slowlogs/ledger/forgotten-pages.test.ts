import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { logsAreThere } from '../../../../../agent/slowlogs/tail/logs-there.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { clusterUuid, ledgerIn, numbersIn, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

const dayMs = 86_400_000;
const began = Date.now();

/** Days pass between the steps, and a newly started process performs each step. */
describe('what the ledger keeps of a cluster that integration.json no longer names', () => {
  const folder = temporaryFolder();
  const log = (): string => `${folder()}/logs/shop_index_search_slowlog.json`;
  const rotated = (): string => log().replace('.json', '-1.json');
  let outbox = memoryOutbox();
  beforeEach(() => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
  });

  async function collect(day: number, endpoint = 'n1', uuid = clusterUuid): Promise<void> {
    const ledger = await ledgerIn(folder(), outbox);
    const now = () => began + day * dayMs;
    const whoIsIt = () => Promise.resolve({ uuid, name: 'shop' });
    await (await watchOver(folder(), outbox, { endpoint: ledger.tail(endpoint), now, whoIsIt })).collect();
  }

  async function tidy(day: number, ...endpoints: readonly string[]): Promise<void> {
    const ledger = await ledgerIn(folder(), outbox);
    await ledger.forgetGone(new Set(endpoints), logsAreThere, began + day * dayMs);
  }

  const pages = (): number =>
    Object.keys(
      (JSON.parse(readFileSync(`${folder()}/state/ledger.json`, 'utf8')) as { tails: object }).tails,
    ).length;

  it('is dropped once its files have been gone for a month', async () => {
    writeFileSync(log(), searchLine(0));
    await collect(0);
    assert.equal(pages(), 2);
    await tidy(50);
    rmSync(log());
    for (const day of [51, 79]) await tidy(day);
    assert.equal(pages(), 2);
    await tidy(80);
    assert.equal(pages(), 0);
  });

  it('stays while its files exist, whatever their names: they are read on when it is named again', async () => {
    writeFileSync(log(), searchLine(0));
    await collect(0);
    appendFileSync(log(), searchLine(1));
    await tidy(40);
    renameSync(log(), rotated());
    await tidy(80);
    writeFileSync(`${rotated()}.gz`, gzipSync(readFileSync(rotated())));
    rmSync(rotated());
    await tidy(120);
    writeFileSync(log(), searchLine(2));
    await collect(160, 'n2');
    assert.deepEqual(numbersIn(outbox).toSorted(), [0, 1, 2]);
  });

  it('stays while it cannot be checked whether its files exist', async () => {
    writeFileSync(log(), searchLine(0));
    await collect(0);
    renameSync(log(), `${folder()}/away`);
    symlinkSync(log(), log());
    for (const day of [40, 80, 120]) await tidy(day);
    rmSync(log());
    renameSync(`${folder()}/away`, log());
    await collect(121);
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('stays if it is named again, and starts a new month when it is removed again', async () => {
    writeFileSync(log(), searchLine(0));
    await collect(0);
    renameSync(log(), `${folder()}/away`);
    await tidy(10);
    await tidy(20, 'n1');
    await tidy(45);
    renameSync(`${folder()}/away`, log());
    await collect(46);
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('stays for a cluster that replaces it at its endpoint while its files exist', async () => {
    const anonymous = searchLine(0).replace(`, "cluster.uuid": "${clusterUuid}"`, '');
    writeFileSync(log(), anonymous);
    await collect(0);
    for (const day of [40, 80]) await tidy(day);
    await collect(81, 'n1', 'AAAAAAAAAAAAAAAAAAAAAA');
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('is dropped for an endpoint alone if another one leads to the cluster', async () => {
    writeFileSync(log(), searchLine(0));
    await collect(0);
    await collect(0, 'n2');
    for (const day of [1, 31]) await tidy(day, 'n2');
    assert.equal(pages(), 2);
    await collect(32, 'n2');
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('stays if an earlier version wrote it, without the paths of its files', async () => {
    const page = { cluster: null, since: 1, positions: { file: { offset: 7, seenAt: 2 } }, taken: [] };
    mkdirSync(`${folder()}/state`);
    writeFileSync(`${folder()}/state/ledger.json`, JSON.stringify({ tails: { a: page }, intent: null }));
    for (const day of [40, 80, 120]) await tidy(day);
    assert.equal(pages(), 1);
  });
});
