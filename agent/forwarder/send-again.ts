import { randomUUID } from 'node:crypto';
import { appendFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../runtime/errors.js';
import type { AgentConfig } from '../config.js';
import { datasets, type Dataset } from '../component.js';
import { verdictOn, type Verdict } from './answer.js';
import { createBatchPoster, takesBatches, type BatchPoster } from './post-batch.js';
import { explained, findQuarantine } from './find-quarantine.js';
import { createQuarantine, quarantineFiles, type Quarantine } from './quarantine.js';
import {
  recordRange,
  rangeUnderWay,
  readTaken,
  removeTaken,
  type ItemRange,
  type TakenFile,
} from './taken-file.js';

/** The outcome for a dataset's quarantined items. */
export interface SentAgain {
  readonly dataset: Dataset;
  readonly arrived: number;
  /** Items that were quarantined again; `reason` is that of the first. */
  readonly refused: number;
  readonly reason: string | undefined;
  /** Entries that a crash has torn: kept in `<dataset>.unreadable`, in the folder of what was quarantined. */
  readonly unreadable: number;
  /** Why the rest waits for another run; undefined if everything was sent. */
  readonly obstacle: string | undefined;
}

/** As many items as a server certainly lists among its refusals, so that each item's outcome is known. */
const mostItems = 20;
const mostCharacters = 1024 * 1024;
/** A running agent might be writing an entry when its file is renamed. */
const entryMs = 500;

/**
 * Sends quarantined items once more. Each file first gets an id of its own. Its batches are sent under that
 * id, as from a spool, and a file next to it records its progress. So an interrupted run can be repeated, and
 * nothing is stored twice. Rejects with QUARANTINE_UNUSABLE.
 */
export async function sendAgain(
  config: AgentConfig,
  user = process.geteuid?.(),
): Promise<readonly SentAgain[]> {
  const poster = createBatchPoster();
  try {
    const folder = await findQuarantine(config.AGENT_FOLDER, user);
    if (folder === undefined) return [];
    const outcomes: SentAgain[] = [];
    for (const dataset of datasets) {
      const files = await takeFiles(folder, dataset);
      if (files.length > 0)
        outcomes.push(await new Sending(config, poster, createQuarantine(folder), dataset).sendAll(files));
    }
    return outcomes;
  } catch (error) {
    throw explained(error);
  } finally {
    poster.close();
  }
}

/** Files of an interrupted run, then those that have been quarantined since. */
async function takeFiles(folder: string, dataset: Dataset): Promise<readonly TakenFile[]> {
  const form = new RegExp(`^${dataset}\\.([0-9a-f-]{36})\\.again$`);
  const files: TakenFile[] = [];
  for (const name of await readdir(folder)) {
    const id = form.exec(name)?.[1];
    if (id !== undefined) files.push({ path: join(folder, name), id });
  }
  let taken = 0;
  for (const path of quarantineFiles(folder, dataset)) {
    const id = randomUUID();
    const own = join(folder, `${dataset}.${id}.again`);
    if (!(await isRenamed(path, own))) continue;
    files.push({ path: own, id });
    taken += 1;
  }
  if (taken > 0) await sleep(entryMs);
  return files;
}

/** False if there is no such file. */
async function isRenamed(path: string, to: string): Promise<boolean> {
  try {
    await rename(path, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

class Sending {
  private arrived = 0;
  private refused = 0;
  private reason: string | undefined;
  private unreadable = 0;
  private obstacle: string | undefined;

  constructor(
    private readonly config: AgentConfig,
    private readonly poster: BatchPoster,
    private readonly quarantine: Quarantine,
    private readonly dataset: Dataset,
  ) {}

  async sendAll(files: readonly TakenFile[]): Promise<SentAgain> {
    for (const file of files) {
      const { items, unreadable } = await readTaken(file);
      let range = (await rangeUnderWay(file)) ?? rangeFrom(items, 0);
      while (range.from < items.length && this.obstacle === undefined) {
        await this.sendRange(file, items, range);
        range = rangeFrom(items, range.to);
      }
      if (this.obstacle !== undefined) break;
      await this.keepUnreadable(unreadable);
      await removeTaken(file);
    }
    const { dataset, arrived, refused, reason, unreadable, obstacle } = this;
    return { dataset, arrived, refused, reason, unreadable, obstacle };
  }

  /** The batch's number is that of its last item: it grows from batch to batch, however they are cut. */
  private async sendRange(file: TakenFile, all: readonly string[], range: ItemRange): Promise<void> {
    const { from, to } = range;
    const items = all.slice(from, to);
    const id = `${file.id}/${to}`;
    await recordRange(file, range);
    const verdict = await this.post(id, items);
    if (verdict.kind === 'arrived') {
      for (const { index, detail } of verdict.reasons) await this.refuse(id, index, items[index], detail);
      this.arrived += items.length - verdict.rejected;
    } else if (verdict.kind === 'other-spool') {
      // No other file has this id, so the batch, or one after it, arrived in an interrupted run.
      this.arrived += items.length;
    } else if (verdict.kind === 'later' || !(await this.isForTheseItems(verdict))) {
      this.obstacle = verdict.reason;
    } else if (items.length === 1) {
      await this.refuse(id, 0, items[0], verdict.reason);
    } else {
      const middle = (from + to) >> 1;
      await this.sendRange(file, all, { from, to: middle });
      if (this.obstacle === undefined) await this.sendRange(file, all, { from: middle, to });
    }
  }

  private async post(id: string, items: readonly string[]): Promise<Verdict> {
    const { AGENT_SERVER_URL: url, AGENT_API_KEY: key } = this.config;
    const body = Buffer.from(`${items.join('\n')}\n`);
    try {
      const batch = { dataset: this.dataset, id, body };
      return verdictOn(await this.poster.post(batch, { url, key }, new AbortController().signal), Date.now());
    } catch (error) {
      return { kind: 'later', reason: `the server at ${url} cannot be reached (${reasonOf(error)})` };
    }
  }

  /** Whether others would be accepted although these are not. */
  private async isForTheseItems(verdict: Verdict): Promise<boolean> {
    if (verdict.kind === 'never' || (verdict.kind === 'too-big' && verdict.isServers)) return true;
    const { AGENT_SERVER_URL: url, AGENT_API_KEY: key } = this.config;
    return takesBatches(this.poster, this.dataset, { url, key }, new AbortController().signal);
  }

  private async refuse(
    batch: string,
    index: number,
    line: string | undefined,
    reason: string,
  ): Promise<void> {
    if (line === undefined) return;
    const { dataset } = this;
    const items = [{ index, line }];
    await this.quarantine.keep({ at: new Date().toISOString(), dataset, batch, reason, items });
    this.refused += 1;
    this.reason ??= reason;
  }

  private async keepUnreadable(entries: readonly string[]): Promise<void> {
    if (entries.length === 0) return;
    const path = join(this.quarantine.folder, `${this.dataset}.unreadable`);
    await appendFile(path, `${entries.join('\n')}\n`, { mode: 0o600, flush: true });
    this.unreadable += entries.length;
  }
}

/** As many items as fit into a batch with the one at `from`, which always fits. */
function rangeFrom(items: readonly string[], from: number): ItemRange {
  let characters = 0;
  let to = from;
  for (; to < items.length && to - from < mostItems; to++) {
    characters += (items[to] ?? '').length;
    if (to > from && characters > mostCharacters) break;
  }
  return { from, to };
}
