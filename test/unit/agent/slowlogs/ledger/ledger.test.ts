import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Outbox } from '../../../../../agent/component.js';
import { ledgerFile, type LedgerFile } from '../../../../../agent/slowlogs/ledger/ledger-file.js';
import type { Ledger } from '../../../../../agent/slowlogs/ledger/ledger.js';
import { logsAreThere } from '../../../../../agent/slowlogs/tail/logs-there.js';
import type { SlowLogWatch } from '../../../../../agent/slowlogs/slow-log-watch.js';
import { openSpool, type Spool } from '../../../../../agent/spool/spool.js';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { BatchServer } from '../../../../support/batch-server.js';
import { FaultyDisk, type Choose } from '../../../../support/faulty-disk.js';
import { diskOf, FaultyLedgerFile, Life } from '../../../../support/mortal-process.js';
import {
  clusterUuid,
  ledgerIn,
  numbersIn,
  searchLine,
  watchOver,
  type WatchChanges,
} from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { runs } from '../../../../support/properties.js';

const watchNames = ['a', 'b', 'c'] as const;
const logOf = (folder: string, name: string): string =>
  `${folder}/${name}/logs/shop_index_search_slowlog.json`;

/** Each watch has its own cluster. */
const uuidOf = (name: string): string => name.repeat(clusterUuid.length);
const asIn = (name: string, line: string): string => line.replace(clusterUuid, uuidOf(name));
const changesOf = (name: string, ledger: Ledger): WatchChanges => ({
  endpoint: ledger.tail(name),
  whoIsIt: () => Promise.resolve({ uuid: uuidOf(name), name: 'shop' }),
});

function makeLogFolders(folder: string): void {
  for (const name of watchNames) {
    rmSync(`${folder}/${name}`, { recursive: true, force: true });
    mkdirSync(`${folder}/${name}/logs`, { recursive: true });
  }
}

describe('the ledger of slow logs', () => {
  const folder = temporaryFolder();
  beforeEach(() => {
    makeLogFolders(folder());
  });

  it('knows of a put that failed while nothing could be written, whatever others put before a kill', async () => {
    for (const name of watchNames)
      appendFileSync(logOf(folder(), name), asIn(name, searchLine(watchNames.indexOf(name))));
    const outbox = memoryOutbox();
    const file = ledgerFile(`${folder()}/state`);
    let breaks = true;
    let broken = false;
    const breaking: Outbox = {
      bytesCommitted: (dataset) => outbox.bytesCommitted(dataset),
      put(dataset, items) {
        broken = breaks;
        return broken ? Promise.reject(new Error('EIO')) : outbox.put(dataset, items);
      },
    };
    const breakingFile: LedgerFile = {
      read: () => file.read(),
      write: (state) => (broken ? Promise.reject(new Error('ENOSPC')) : file.write(state)),
    };
    const ledger = await ledgerIn(folder(), breaking, breakingFile);
    const collect = async (name: string, known = ledger): Promise<boolean> =>
      (await watchOver(`${folder()}/${name}`, breaking, changesOf(name, known))).collect();
    await collect('a');
    await collect('b');
    breaks = broken = false;
    await collect('b');
    const anew = await ledgerIn(folder(), breaking); // as after a kill
    for (const name of watchNames) await collect(name, anew);
    assert.deepEqual(numbersIn(outbox).toSorted(), [0, 1, 2]);
  });

  it('is refused with the path of its file if the file is damaged', async () => {
    const path = `${folder()}/state/ledger.json`;
    const refused = async (text: string): Promise<void> => {
      writeFileSync(path, text);
      await assert.rejects(ledgerIn(folder(), memoryOutbox()), (error: unknown) => {
        assert.ok(error instanceof TelltaleError, text);
        assert.equal(error.code, 'LEDGER_INVALID');
        assert.ok(error.message.includes(path));
        return true;
      });
    };
    mkdirSync(`${folder()}/state`);
    const texts = ['', '{"tails":', 'null', '[]'];
    const noLedgers = ['{}', '{"tails":null,"intent":null}', '{"tails":{"a":{"taken":null}},"intent":null}'];
    for (const text of [...texts, ...noLedgers]) await refused(text);
  });
});

type Step =
  | { readonly kind: 'write'; readonly to: number; readonly lines: number }
  | { readonly kind: 'collect'; readonly by: readonly number[] }
  | { readonly kind: 'send' | 'restart' | 'crash' }
  | { readonly kind: 'kill'; readonly calls: number }
  | { readonly kind: 'tidy'; readonly inUse: readonly number[]; readonly days: number }
  | { readonly kind: 'faults'; readonly disk: number; readonly ledger: number; readonly full: boolean };

const watchNumber = fc.nat(watchNames.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write'), to: watchNumber, lines: fc.constantFrom(1, 2, 70) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('collect'), by: fc.uniqueArray(watchNumber, { minLength: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('send', 'restart', 'crash') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill'), calls: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tidy'), inUse: fc.uniqueArray(watchNumber), days: fc.constantFrom(0, 20, 40) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('faults'), disk: fc.constantFrom(0, 60), ledger: fc.constantFrom(0, 0, 50), full: fc.nat(4).map((one) => one === 0) }) },
); // prettier-ignore

let spools = 0;

/** The duration of a number's entry: different for each number, up and down. */
const tookMs = (number: number): number => (number * 7_919) % 10_007;

interface Running {
  readonly spool: Spool;
  readonly ledger: Ledger;
  readonly watches: readonly SlowLogWatch[];
}

/** An agent with three watches and one spool, which restarts whenever it has ended. */
class Agent {
  readonly disk: FaultyDisk;
  readonly ledgerFile: FaultyLedgerFile;
  readonly server = new BatchServer();
  private life: Life;
  private running: Running | undefined;
  private readonly written: readonly number[][] = watchNames.map(() => []);
  private lines = 0;
  private daysGone = 0;

  constructor(
    private readonly folder: string,
    private readonly maxEntriesPerCollection: number,
    private readonly choose: Choose,
  ) {
    this.disk = new FaultyDisk(choose);
    this.ledgerFile = new FaultyLedgerFile(choose);
    this.life = new Life(choose);
  }

  async do(step: Step): Promise<void> {
    if (step.kind === 'write') this.write(step.to, step.lines);
    else if (step.kind === 'collect') await this.collect(step.by);
    else if (step.kind === 'send') await this.send().catch(() => undefined);
    else if (step.kind === 'kill') this.life.endAfter(step.calls);
    else if (step.kind === 'tidy') await this.tidy(step.inUse, step.days).catch(() => undefined);
    else if (step.kind === 'faults') this.faults(step.disk, step.ledger, step.full);
    else this.end(step.kind === 'crash');
    if (this.life.isOver) this.end(this.choose(2) === 0);
  }

  /** Collects and sends without faults; returns the numbers that have arrived. */
  async arrived(): Promise<readonly number[]> {
    this.end(false);
    await this.collect(watchNames.map((_, index) => index));
    await this.send();
    const items = this.server.stored.get('slow-operations') ?? [];
    return numbersIn({ taken: [{ items }] }).toSorted((one, other) => one - other);
  }

  /** The numbers that must arrive: the slowest entries of each log, as many as one collection takes. */
  mustArrive(): readonly number[] {
    return this.written.flatMap((numbers) =>
      numbers.toSorted((one, other) => tookMs(other) - tookMs(one)).slice(0, this.maxEntriesPerCollection),
    );
  }

  private write(to: number, lines: number): void {
    const pad = lines > 9 ? `"pad":"${'x'.repeat(1_800)}",` : ''; // more than one chunk
    const numbers = Array.from({ length: lines }, (_, index) => this.lines + index);
    const text = numbers.map((number) =>
      searchLine(number, tookMs(number)).replace('\\"query\\":', `${pad.replaceAll('"', '\\"')}\\"query\\":`),
    );
    const name = watchNames[to] ?? '';
    appendFileSync(logOf(this.folder, name), text.map((line) => asIn(name, line)).join(''));
    this.written[to]?.push(...numbers);
    this.lines += lines;
  }

  private async collect(by: readonly number[]): Promise<void> {
    const watches = (await this.started())?.watches ?? [];
    await Promise.all(by.map(async (index) => watches[index]?.collect()));
  }

  /** Tidies this many days later, with only these clusters left in integration.json. */
  private async tidy(inUse: readonly number[], days: number): Promise<void> {
    this.daysGone += days;
    const endpoints = new Set(inUse.map((index) => watchNames[index] ?? ''));
    await (await this.started())?.ledger.forgetGone(endpoints, logsAreThere, this.now());
  }

  private now(): number {
    return Date.now() + this.daysGone * 86_400_000;
  }

  private async send(): Promise<void> {
    const sender = (await this.started())?.spool.sender('slow-operations');
    const limits = { bytes: 1 << 20, items: 1_000 };
    for (let batch = await sender?.next(limits); batch !== undefined; batch = await sender?.next(limits)) {
      assert.notEqual(this.server.take(batch), 'conflict');
      await sender?.acknowledge();
    }
  }

  private async started(): Promise<typeof this.running> {
    this.running ??= await this.start().catch(() => undefined);
    return this.running;
  }

  private async start(): Promise<Running> {
    const newSpoolId = (): string => `spool-${spools++}`;
    const options = { folder: 'spool', bytes: 8 << 20, logger: silentLogger, newSpoolId };
    const spool = await openSpool({ ...options, disk: diskOf(this.disk, this.life) });
    const ledger = await ledgerIn(this.folder, spool, this.ledgerFile.seenBy(this.life));
    const settings = { maxEntriesPerCollection: this.maxEntriesPerCollection };
    const watches = await Promise.all(
      watchNames.map((name) => {
        const changes = { ...changesOf(name, ledger), now: () => this.now() };
        return watchOver(`${this.folder}/${name}`, spool, changes, settings);
      }),
    );
    return { spool, ledger, watches };
  }

  private faults(disk: number, ledger: number, full: boolean): void {
    this.disk.failing = disk;
    this.disk.full = full;
    this.ledgerFile.failing = ledger;
  }

  private end(powerFails: boolean): void {
    this.running = undefined;
    this.life = new Life(this.choose);
    this.faults(0, 0, false); // otherwise hardly any process would start
    if (!powerFails) return;
    this.disk.crash();
    this.ledgerFile.crash();
  }
}

describe('slow logs that several watches hand to one spool', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('arrive once each, whatever fails to be written, and whenever the process dies', async () => {
    const limit = fc.constantFrom(3, 60, 10_000, 10_000);
    await fc.assert(
      fc.asyncProperty(limit, fc.array(step, { maxLength: 40, size: 'max' }), fc.infiniteStream(fc.nat()), async (most, steps, choices) => {
        makeLogFolders(folder());
        const agent = new Agent(folder(), most, (below) => (choices.next().value as number) % below);
        for (const next of steps) await agent.do(next);
        const arrived = await agent.arrived();
        const once = new Set(arrived);
        assert.deepEqual(agent.mustArrive().filter((number) => !once.has(number)), []);
        assert.equal(arrived.length, once.size);
      }),
      { numRuns: runs(25) },
    );
  }); // prettier-ignore
});
