import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { openViewStore, type ViewStore } from '../../../../../runtime/kafka/views/view-store.js';
import { silentLogger } from '../../../../../runtime/logging.js';

describe('the local store of a view', () => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'telltale-'));
    folder = join(parent, 'store');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  const open = (format = 'a/1'): ViewStore => openViewStore({ folder, format, logger: silentLogger });
  async function filled(): Promise<void> {
    const store = open();
    await store.write((writer) => writer.put('key', Buffer.from('value')));
    await store.close();
  }
  async function valueAfterOpening(format?: string): Promise<string | undefined> {
    const store = open(format);
    const value = store.get('key')?.toString();
    await store.close();
    return value;
  }

  it('keeps what it has over a restart', async () => {
    await filled();
    assert.equal(await valueAfterOpening(), 'value');
  });

  it('finds and replaces what was written under the keys that LMDB makes itself', async () => {
    await filled();
    const keys = [randomUUID(), 'ü✓𝄞', 'x'.repeat(64), `${'x'.repeat(63)}é`, 'x'.repeat(500)];
    const root = openLmdb<Buffer, string>({ path: folder, maxDbs: 4, noSync: true });
    const entries = root.openDB<Buffer, string>('entries', { encoding: 'binary' });
    for (const key of keys) await entries.put(key, Buffer.from(`of ${key}`));
    await root.close();

    const store = open();
    for (const key of keys) assert.equal(store.get(key)?.toString(), `of ${key}`);
    await store.write((writer) => {
      for (const key of keys) writer.put(key, Buffer.from('new'));
    });
    for (const key of keys) assert.equal(store.get(key)?.toString(), 'new');
    await store.write((writer) => {
      for (const key of keys) writer.remove(key);
    });
    for (const key of keys) assert.equal(store.get(key), undefined);
    await store.close();
  });

  it('is discarded if it has another format', async () => {
    await filled();
    assert.equal(await valueAfterOpening('a/2'), undefined);
  });

  it('is discarded if its file is damaged', async () => {
    await filled();
    writeFileSync(join(folder, 'data.mdb'), 'garbage'.repeat(1_000));
    assert.equal(await valueAfterOpening(), undefined);
  });

  it('is discarded if the machine restarted since it was opened, unless it was closed first', async () => {
    await filled();
    const asLeftBy = async (flushed: boolean): Promise<void> => {
      const root = openLmdb({ path: folder, maxDbs: 4, noSync: true });
      const about = root.openDB('about', { encoding: 'json' });
      await about.put('openedIn', 'another start of the machine');
      await about.put('flushed', flushed);
      await root.close();
    };
    await asLeftBy(true);
    assert.equal(await valueAfterOpening(), 'value');
    await asLeftBy(false);
    assert.equal(await valueAfterOpening(), undefined);
  });

  it('is discarded if the last process did not survive opening it', async () => {
    await filled();
    writeFileSync(`${folder}.opening`, '');
    assert.equal(await valueAfterOpening(), undefined);
    await filled();
    assert.equal(await valueAfterOpening(), 'value');
  });
});
