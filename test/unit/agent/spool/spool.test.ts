import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BatchLimits, Sender } from '../../../../agent/spool/sender.js';
import { openSpool, type Spool } from '../../../../agent/spool/spool.js';
import { realDisk, type Disk } from '../../../../agent/spool/disk.js';
import { silentLogger, type Logger } from '../../../../runtime/logging.js';
import type { Dataset } from '../../../../agent/component.js';
import { BatchServer, itemsOf } from '../../../support/batch-server.js';
import { FaultyDisk } from '../../../support/faulty-disk.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { runs } from '../../../support/properties.js';

const mebibyte = 1024 * 1024;
const limits: BatchLimits = { bytes: mebibyte, items: 1_000 };

let ids = 0;
const open = (disk: Disk, folder = 'spool', bytes = 64 * mebibyte): Promise<Spool> =>
  openSpool({ disk, folder, bytes, logger: silentLogger, newSpoolId: () => `spool-${ids++}` });

async function drain(sender: Sender, server: BatchServer, within = limits): Promise<void> {
  for (let batch = await sender.next(within); batch !== undefined; batch = await sender.next(within)) {
    if (server.take(batch) === 'conflict' && !batch.damaged) await sender.renew();
    else await sender.acknowledge();
  }
}

const numbers = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ n: from + index }));

describe('the spool', () => {
  const folder = temporaryFolder();

  it('gives back what was put, in order, over a restart', async () => {
    const first = await open(realDisk, folder());
    await first.put('events', numbers(0, 3));
    await first.put('events', numbers(3, 2));
    await first.close();
    const second = await open(realDisk, folder());
    await second.put('events', numbers(5, 1));
    const server = new BatchServer();
    await drain(second.sender('events'), server, { bytes: mebibyte, items: 4 });
    assert.deepEqual(server.stored.get('events'), numbers(0, 6));
    await second.close();
  });

  it('keeps datasets apart', async () => {
    const spool = await open(realDisk, folder());
    await spool.put('spans', numbers(7, 1));
    assert.equal(await spool.sender('events').next(limits), undefined);
    assert.equal((await spool.sender('spans').next(limits))?.items, 1);
    await spool.close();
  });

  it('gives the very same batch until it is acknowledged, over a restart and whatever came meanwhile', async () => {
    const first = await open(realDisk, folder());
    await first.put('events', numbers(0, 10));
    const cut = await first.sender('events').next({ bytes: mebibyte, items: 7 });
    await first.put('events', numbers(10, 10));
    await first.close();
    const second = await open(realDisk, folder());
    assert.deepEqual(await second.sender('events').next(limits), cut);
    await second.sender('events').acknowledge();
    const rest = await second.sender('events').next(limits);
    assert.ok(rest !== undefined);
    assert.deepEqual(itemsOf(rest), numbers(7, 13));
    await second.close();
  });

  it('does not give an acknowledged batch again after a clean shutdown', async () => {
    const first = await open(realDisk, folder());
    await first.put('events', numbers(0, 2));
    const sent = await first.sender('events').next(limits);
    await first.sender('events').acknowledge();
    await first.close();
    const second = await open(realDisk, folder());
    assert.equal(await second.sender('events').next(limits), undefined);
    await second.put('events', numbers(2, 1));
    const next = await second.sender('events').next(limits);
    assert.equal(next?.id, sent?.id.replace('/1', '/2'));
    await second.close();
  });

  it('never gives a settled batch again, not even after a kill', async () => {
    const first = await open(realDisk, folder());
    await first.put('events', numbers(0, 2));
    await first.sender('events').next(limits);
    await first.sender('events').settle();
    const second = await open(realDisk, folder());
    assert.equal(await second.sender('events').next(limits), undefined);
    await first.close();
    await second.close();
  });

  it('cuts a batch smaller under the same id', async () => {
    const spool = await open(realDisk, folder());
    await spool.put('events', numbers(0, 9));
    const sender = spool.sender('events');
    const whole = await sender.next(limits);
    await sender.shrink(4);
    const part = await sender.next(limits);
    assert.ok(part !== undefined && whole !== undefined);
    assert.equal(part.id, whole.id);
    assert.deepEqual(itemsOf(part), numbers(0, 4));
    await sender.acknowledge();
    const rest = await sender.next(limits);
    assert.ok(rest !== undefined);
    assert.deepEqual(itemsOf(rest), numbers(4, 5));
    await spool.close();
  });

  it('gives the same items under a new id if another spool uses its id', async () => {
    const spool = await open(realDisk, folder());
    await spool.put('events', numbers(0, 2));
    const before = await spool.sender('events').next(limits);
    await spool.sender('events').renew();
    const after = await spool.sender('events').next(limits);
    assert.notEqual(after?.id.split('/')[0], before?.id.split('/')[0]);
    assert.match(after?.id ?? '', /\/1$/);
    assert.deepEqual(after?.body, before?.body);
    await spool.close();
  });

  it('is bounded, and has room again once it is drained', async () => {
    const spool = await open(realDisk, folder(), mebibyte);
    const item = { text: 'x'.repeat(10_000) };
    let taken = 0;
    await assert.rejects(
      async () => {
        for (; taken < 1_000; taken++) await spool.put('spans', [item]);
      },
      { code: 'SPOOL_FULL' },
    );
    assert.ok(taken > 60 && taken < 75, `${taken}`); // all but the room guaranteed to other datasets
    assert.ok(spool.budget.used <= mebibyte);
    await drain(spool.sender('spans'), new BatchServer());
    assert.ok(spool.budget.used < mebibyte / 16, `${spool.budget.used}`);
    for (let again = 0; again < 60; again++) await spool.put('spans', [item]);
    await spool.close();
  });

  it('has room for every other dataset while one is full', async () => {
    const spool = await open(realDisk, folder(), mebibyte);
    const item = { text: 'x'.repeat(10_000) };
    const fill = async (dataset: Dataset): Promise<number> => {
      for (let taken = 0; ; taken++)
        try {
          await spool.put(dataset, [item]);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'SPOOL_FULL');
          return taken;
        }
    };
    await fill('spans');
    for (const dataset of ['events', 'snapshots', 'slow-operations'] as const)
      assert.ok((await fill(dataset)) * 10_000 > spool.budget.guaranteedBytes * 0.85, dataset);
    assert.ok(spool.budget.used <= mebibyte);
    await spool.close();
  });

  it('refuses puts on a full disk, writes nothing torn, and accepts puts again when there is room', async () => {
    const disk = new FaultyDisk(() => 5);
    const spool = await open(disk);
    await spool.put('events', numbers(0, 2));
    disk.full = true;
    await assert.rejects(spool.put('events', numbers(100, 50)), { code: 'SPOOL_BROKEN' });
    const server = new BatchServer();
    await drain(spool.sender('events'), server); // a full disk can be drained
    disk.full = false;
    await spool.put('events', numbers(2, 2));
    await drain(spool.sender('events'), server);
    assert.deepEqual(server.stored.get('events'), numbers(0, 4));
  });

  it('keeps nothing of a put that it refused, even after a restart', async () => {
    const disk = new FaultyDisk(() => 0);
    const first = await open(disk);
    await first.put('events', numbers(0, 2));
    let broken = false;
    const real = disk.open.bind(disk);
    disk.open = async (path) => {
      const file = await real(path);
      const sync = (): Promise<void> => {
        if (!broken) return file.sync();
        broken = false;
        return Promise.reject(new Error('EIO: the disk failed'));
      };
      return path.endsWith('.segment') ? { ...file, sync } : file;
    };
    const second = await open(disk);
    broken = true;
    await assert.rejects(second.put('events', numbers(100, 50)), { code: 'SPOOL_BROKEN' });
    const third = await open(disk);
    const server = new BatchServer();
    await drain(third.sender('events'), server);
    assert.deepEqual(server.stored.get('events'), numbers(0, 2));
  });

  it('gives the bytes committed only while no refused put can reappear', async () => {
    const disk = new FaultyDisk(() => 1);
    let broken = false;
    const real = disk.open.bind(disk);
    disk.open = async (path) => {
      const file = await real(path);
      const orFail = (act: () => Promise<void>): Promise<void> =>
        broken ? Promise.reject(new Error('EIO: the disk failed')) : act();
      return {
        ...file,
        sync: () => orFail(() => file.sync()),
        truncate: (length) => orFail(() => file.truncate(length)),
      };
    };
    const first = await open(disk);
    await first.put('events', numbers(0, 2));
    const bytesCommitted = await first.bytesCommitted('events');
    broken = true;
    await assert.rejects(first.put('events', numbers(100, 50)), { code: 'SPOOL_BROKEN' });
    await assert.rejects(first.bytesCommitted('events'), { code: 'SPOOL_BROKEN' });
    broken = false;
    assert.equal(await first.bytesCommitted('events'), bytesCommitted);
    const second = await open(disk);
    assert.equal(await second.bytesCommitted('events'), bytesCommitted);
  });

  it('writes simultaneous puts together', async () => {
    let syncs = 0;
    const counting: Disk = {
      ...realDisk,
      async open(path) {
        const file = await realDisk.open(path);
        return {
          ...file,
          sync: () => {
            syncs += 1;
            return file.sync();
          },
        };
      },
    };
    const spool = await open(counting, folder());
    syncs = 0;
    await Promise.all(Array.from({ length: 500 }, (_, n) => spool.put('events', [{ n }])));
    assert.ok(syncs < 20, `${syncs} syncs for 500 puts`);
    await spool.close();
  });

  it('opens even if the length of a frame is damaged, and reads no more than the file holds', async () => {
    const first = await open(realDisk, folder());
    for (let n = 0; n < 3; n++) await first.put('events', numbers(10 + n * 10, 10));
    await first.close();
    const events = join(folder(), 'events');
    const [segment = ''] = readdirSync(events).filter((name) => name.endsWith('.segment'));
    const bytes = readFileSync(join(events, segment));
    bytes.writeUInt8(0x80, bytes.length / 3 + 7);
    writeFileSync(join(events, segment), bytes);
    const asked: number[] = [];
    const watched: Disk = {
      ...realDisk,
      async open(path) {
        const file = await realDisk.open(path);
        const read = (position: number, length: number): Promise<Buffer> => {
          asked.push(length);
          return file.read(position, length);
        };
        return path.endsWith('.segment') ? { ...file, read } : file;
      },
    };
    const second = await open(watched, folder());
    const server = new BatchServer();
    await drain(second.sender('events'), server);
    assert.deepEqual(server.stored.get('events'), [...numbers(10, 10), ...numbers(30, 10)]);
    assert.ok(Math.max(...asked) <= bytes.length, `${Math.max(...asked)} bytes at once`);
    await second.close();
  });

  it('renames a newest file that it did not write, and continues', async () => {
    const events = join(folder(), 'events');
    mkdirSync(events);
    const path = join(events, '0000000000000000.segment');
    for (const round of [1, 2]) {
      writeFileSync(path, `of another form ${round}`);
      const spool = await open(realDisk, folder());
      await spool.put('events', numbers(round, 1));
      const server = new BatchServer();
      await drain(spool.sender('events'), server);
      assert.deepEqual(server.stored.get('events'), numbers(round, 1));
      await spool.close();
      assert.equal(readFileSync(`${path}.unknown-${round}`, 'utf8'), `of another form ${round}`);
    }
  });

  it('cuts off a first write that was torn', async () => {
    const first = await open(realDisk, folder());
    await first.put('events', numbers(0, 5));
    await first.close();
    const events = join(folder(), 'events');
    const [segment = ''] = readdirSync(events).filter((name) => name.endsWith('.segment'));
    const bytes = readFileSync(join(events, segment));
    for (const left of [1, 3, 20, bytes.length - 1]) {
      writeFileSync(join(events, segment), bytes.subarray(0, left));
      await (await open(realDisk, folder())).close();
      assert.deepEqual(readdirSync(events).sort(), [segment, 'cursor'].sort());
      assert.equal(readFileSync(join(events, segment)).length, 0);
    }
  });

  it('continues after a part that the disk has lost, and says how much was lost', async () => {
    let lost = 0;
    const disk = new FaultyDisk(() => 0);
    const options = { disk, folder: 'spool', bytes: 32 * 500, logger: silentLogger };
    const spool = await openSpool({ ...options, onLoss: (_, bytes) => (lost += bytes) });
    for (let n = 0; n < 3; n++) await spool.put('events', numbers(n * 100, 100)); // one segment each
    const segment = (await disk.list('spool/events')).filter((name) => name.endsWith('.segment'))[1];
    assert.ok(segment !== undefined);
    await (await disk.open(`spool/events/${segment}`)).write(40, Buffer.from('#'));
    const server = new BatchServer();
    await drain(spool.sender('events'), server);
    assert.deepEqual(server.stored.get('events'), [...numbers(0, 100), ...numbers(200, 100)]);
    assert.ok(lost > 100);
  });
});

type Step =
  | { readonly kind: 'put'; readonly sizes: readonly number[] }
  | { readonly kind: 'send'; readonly items: number; readonly answerLost: boolean }
  | { readonly kind: 'shrink'; readonly items: number }
  | { readonly kind: 'crash' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'failing'; readonly percent: number }
  | { readonly kind: 'full'; readonly full: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put'), sizes: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('send'), items: fc.integer({ min: 1, max: 9 }), answerLost: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('shrink'), items: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('failing'), percent: fc.constantFrom(0, 0, 30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('full'), full: fc.boolean() }) },
); // prettier-ignore

/** The agent on a faulty disk; acknowledged numbers are recorded in order. */
class Run {
  private spool: Spool | undefined;
  private count = 0;
  readonly acknowledged: number[] = [];
  /** Rejected numbers: lost, unless a crash occurred while they were being written. */
  readonly refused = new Set<number>();
  readonly server = new BatchServer();

  constructor(private readonly disk: FaultyDisk) {}

  async opened(): Promise<Spool | undefined> {
    // 4 KiB: several segments, and sometimes full.
    this.spool ??= await open(this.disk, 'spool', 4_096).catch(() => undefined);
    return this.spool;
  }

  async do(step: Step): Promise<void> {
    if (step.kind === 'crash' || step.kind === 'restart') {
      this.spool = undefined;
      if (step.kind === 'crash') this.disk.crash();
    } else if (step.kind === 'failing') this.disk.failing = step.percent;
    else if (step.kind === 'full') this.disk.full = step.full;
    else if (step.kind === 'put') await this.put(step.sizes);
    else await this.send(step).catch(() => undefined);
  }

  private async put(sizes: readonly number[]): Promise<void> {
    const spool = await this.opened();
    if (spool === undefined) return;
    await Promise.all(
      sizes.map(async (size) => {
        const items = numbers(this.count, size + 1);
        this.count += items.length;
        const own = (items as { n: number }[]).map(({ n }) => n);
        try {
          await spool.put('events', items);
          this.acknowledged.push(...own);
        } catch {
          for (const n of own) this.refused.add(n);
        }
      }),
    );
  }

  private async send(step: Step): Promise<void> {
    const sender = (await this.opened())?.sender('events');
    if (sender === undefined) return;
    const batch = await sender.next({ bytes: mebibyte, items: 'items' in step ? step.items : 9 });
    if (batch === undefined) return;
    if (step.kind === 'shrink') {
      // 413: the server has not accepted it. If it had, with a lost answer, it would have said so.
      if (!this.sent.has(batch.id)) await sender.shrink(step.items);
      return;
    }
    this.sent.add(batch.id);
    assert.ok(!batch.damaged, 'a crash does no damage to what was durable');
    assert.notEqual(this.server.take(batch), 'conflict');
    if (step.kind === 'send' && !step.answerLost) await sender.acknowledge();
  }

  private readonly sent = new Set<string>();
}

describe('the spool on a disk that fails, fills up and loses what was not synced', function () {
  this.timeout(60_000);

  it('has each acknowledged item stored once and in order, in whatever order things go wrong', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.infiniteStream(fc.nat(1_000_000)), async (steps, random) => {
        const choices = random[Symbol.iterator]();
        const disk = new FaultyDisk((below) => (choices.next().value as number) % below);
        const run = new Run(disk);
        let crashed = false;
        for (const next of steps) {
          await run.do(next);
          crashed ||= next.kind === 'crash' || next.kind === 'restart';
        }
        disk.failing = 0;
        disk.full = false;
        const spool = await run.opened();
        assert.ok(spool !== undefined);
        await drain(spool.sender('events'), run.server);

        const stored = (run.server.stored.get('events') ?? []).map((item) => (item as { n: number }).n);
        assert.equal(new Set(stored).size, stored.length, 'something is stored twice');
        const acknowledged = new Set(run.acknowledged);
        assert.deepEqual(stored.filter((n) => acknowledged.has(n)), run.acknowledged);
        if (!crashed) assert.deepEqual(stored.filter((n) => run.refused.has(n)), []);
      }),
      { numRuns: runs(500) },
    )); // prettier-ignore
});

type DecayStep =
  | { readonly kind: 'put'; readonly sizes: readonly number[] }
  | { readonly kind: 'send'; readonly items: number; readonly answerLost: boolean }
  | { readonly kind: 'restart' }
  | { readonly kind: 'rot' }
  | { readonly kind: 'wear' };

const decayStep: fc.Arbitrary<DecayStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put'), sizes: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send'), items: fc.integer({ min: 1, max: 60 }), answerLost: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rot') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wear') }) },
); // prettier-ignore

describe('the spool on a disk that decays', function () {
  this.timeout(60_000);

  it('loses only the damaged part of the acknowledged items, says so, and stores the rest once and in order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(decayStep, { maxLength: 40 }), fc.infiniteStream(fc.nat(1_000_000)), async (steps, random) => {
        const choices = random[Symbol.iterator]();
        const disk = new FaultyDisk((below) => (choices.next().value as number) % below);
        let lost = 0;
        let warnings = 0;
        const warn = (): void => void (warnings += 1);
        const logger: Logger = Object.assign(silentLogger.child({}), { warn, error: warn });
        const start = (): Promise<Spool> =>
          openSpool({ disk, folder: 'spool', bytes: 1 << 16, logger, readPauses: [], newSpoolId: () => `spool-${ids++}`, onLoss: (_, bytes) => (lost += bytes) });
        const server = new BatchServer();
        /** The put that contained each number. */
        const putOf = new Map<number, number>();
        let spool = await start();
        let rots = 0;
        let worn = 0;
        let puts = 0;
        const send = async (items: number, answerLost: boolean): Promise<boolean> => {
          const sender = spool.sender('events');
          const batch = await sender.next({ bytes: mebibyte, items });
          if (batch === undefined) return false;
          const outcome = server.take(batch);
          assert.ok(outcome !== 'conflict' || batch.damaged);
          if (!answerLost) await sender.acknowledge();
          return true;
        };
        for (const next of steps) {
          if (next.kind === 'rot') {
            if (disk.rot(/events\/\d+\.segment$/) !== undefined) rots += 1;
          } else if (next.kind === 'wear') {
            if (disk.wear(/events\/\d+\.segment$/)) worn += 1;
          } else if (next.kind === 'restart') spool = await start();
          else if (next.kind === 'send') await send(next.items, next.answerLost);
          else
            await Promise.all(next.sizes.map(async (size) => {
              const put = puts++;
              const items = numbers(putOf.size, size + 1) as { n: number }[];
              for (const { n } of items) putOf.set(n, put);
              await spool.put('events', items).catch(() => items.forEach(({ n }) => putOf.delete(n)));
            }));
        }
        while (await send(1_000, false));
        const stored = (server.stored.get('events') ?? []).map((item) => (item as { n: number }).n);
        assert.deepEqual(stored, [...new Set(stored)].sort((a, b) => a - b));
        const missing = new Set([...putOf].filter(([n]) => !stored.includes(n)).map(([, put]) => put));
        // A put is one frame of at least 24 bytes, so a page holds at most this many, plus parts of two more.
        const most = rots + worn * (4_096 / 24 + 2);
        assert.ok(missing.size <= most, `${missing.size} puts are missing after ${rots} bits turned over and ${worn} pages wore out`);
        // A damaged newest block looks like an unconfirmed write: a restart logs what it cuts off.
        assert.ok(missing.size === 0 || lost > 0 || warnings > 0, 'something is missing, and nothing says so');
      }),
      { numRuns: runs(250) },
    )); // prettier-ignore

  it('skips an unreadable page, at the start and later, and says how much was lost', async () => {
    for (const readFirst of [false, true]) {
      let lost = 0;
      const disk = new FaultyDisk((below) => Math.min(below - 1, 1));
      const options = { disk, folder: 'spool', bytes: 64 * mebibyte, logger: silentLogger, readPauses: [0] };
      const first = await openSpool({ ...options, onLoss: (_, bytes) => (lost += bytes) });
      for (let n = 0; n < 5; n++) await first.put('events', [{ n, text: 'x'.repeat(5_000) }]);
      assert.ok(disk.wear(/events\/\d+\.segment$/));
      const spool = readFirst
        ? first
        : await openSpool({ ...options, onLoss: (_, bytes) => (lost += bytes) });
      const server = new BatchServer();
      await drain(spool.sender('events'), server);
      const stored = (server.stored.get('events') ?? []).map((item) => (item as { n: number }).n);
      assert.deepEqual(stored, [2, 3, 4]);
      assert.ok(lost > 10_000 && lost < 10_200, `${lost}`);
    }
  });

  it('does not cut off an unreadable end', async () => {
    const disk = new FaultyDisk((below) => below - 1);
    const options = { disk, folder: 'spool', bytes: 64 * mebibyte, logger: silentLogger, readPauses: [] };
    const first = await openSpool(options);
    for (let n = 0; n < 3; n++) await first.put('events', [{ n, text: 'x'.repeat(5_000) }]);
    disk.wear(/events\/\d+\.segment$/);
    const second = await openSpool(options);
    await second.put('events', [{ n: 3 }]); // behind it, on the worn page
    const server = new BatchServer();
    await drain(second.sender('events'), server);
    const stored = (server.stored.get('events') ?? []).map((item) => (item as { n: number }).n);
    assert.deepEqual(stored, [0, 1]);
    assert.ok(second.sender('events').lostBytes > 5_000);
  });

  it('keeps what was acknowledged after a flipped bit in the newest file', async () => {
    let lost = 0;
    const disk = new FaultyDisk(() => 0);
    const options = { disk, folder: 'spool', bytes: 64 * mebibyte, logger: silentLogger };
    const first = await openSpool(options);
    for (let n = 0; n < 5; n++) await first.put('events', numbers(n * 10, 10));
    const [segment] = (await disk.list('spool/events')).filter((name) => name.endsWith('.segment'));
    const file = await disk.open(`spool/events/${segment ?? ''}`);
    const frame = (await file.size()) / 5;
    await file.write(Math.floor(frame) + 5, Buffer.from('#'));
    const second = await openSpool({ ...options, onLoss: (_, bytes) => (lost += bytes) });
    const server = new BatchServer();
    await drain(second.sender('events'), server);
    assert.deepEqual(server.stored.get('events'), [...numbers(0, 10), ...numbers(20, 30)]);
    assert.equal(second.sender('events').lostBytes, lost);
    assert.ok(lost > 50 && lost < 200, `${lost}`);
  });
});
