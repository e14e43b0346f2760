import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '../../runtime/backoff.js';
import { reasonOf } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';
import type { LiveConfig } from '../live-config.js';
import type { Dataset } from '../component.js';
import type { Batch, Sender } from '../spool/sender.js';
import { verdictOn, type Arrival, type Verdict } from './answer.js';
import { takesBatches, type BatchPoster } from './post-batch.js';
import { Progress, type DatasetStatus } from './progress.js';
import { itemsOf, rejectedOf, type Refusal } from './refusals.js';
import type { Quarantine } from './quarantine.js';
import type { ForwarderMetrics } from './forwarder-metrics.js';
import { createWakeable } from './wakeable.js';

export interface DatasetLoopOptions {
  readonly dataset: Dataset;
  readonly sender: Sender;
  readonly poster: BatchPoster;
  readonly quarantine: Quarantine;
  readonly config: LiveConfig;
  readonly metrics: ForwarderMetrics;
  readonly logger: Logger;
  readonly timing: ForwarderTiming;
  /** Called after each try: the spool might be smaller now. */
  readonly onStep: () => void;
}

/** Pauses between tries, in milliseconds. */
export interface ForwarderTiming {
  readonly first: number;
  readonly longest: number;
  /** If nothing at the address accepts a batch. */
  readonly slow: number;
}

/** With these pauses, a quarter of an hour. */
const triesToQuarantine = 100;
/** A batch that is refused this often by a server that accepts its kind of data will never pass. */
const refusalsOfOne = 3;

export const standardTiming: ForwarderTiming = { first: 250, longest: 10_000, slow: 30_000 };

/** Sends one dataset's batches, in order and one at a time, until it is stopped. */
export class DatasetLoop {
  private readonly stopped = new AbortController();
  private readonly arrivals = createWakeable();
  private readonly obstacles = createWakeable();
  private readonly backoff: Backoff;
  private readonly progress: Progress;
  private readonly running: Promise<void>;
  private lastCutAt = -Infinity;
  private conflicts = 0;
  /** How often in a row one batch was refused while others would have been accepted. */
  private refusals = { batch: '', count: 0 };

  constructor(private readonly options: DatasetLoopOptions) {
    this.backoff = new Backoff(options.timing.first, options.timing.longest);
    this.progress = new Progress(options.dataset, options.logger);
    this.running = this.run();
  }

  /** There is something new to send. */
  wake(): void {
    this.arrivals.wake();
  }

  /** The obstacle to sending might be gone. */
  retryNow(): void {
    this.obstacles.wake();
  }

  status(): DatasetStatus {
    const { sender, quarantine, dataset } = this.options;
    return this.progress.status(sender, quarantine.bytes(dataset));
  }

  /** Abandons the batch under way: it is sent again under its id after the next start. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.arrivals.wake();
    this.obstacles.wake();
    await this.running;
  }

  private ended(): boolean {
    return this.stopped.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.ended()) {
      try {
        await this.step();
      } catch (error) {
        if (!this.ended()) await this.pause(reasonOf(error), this.backoff.next());
      }
    }
  }

  private async step(): Promise<void> {
    const batch = await this.nextBatch();
    if (batch === undefined) {
      this.progress.state = 'idle';
      await this.arrivals.wait();
      return;
    }
    const verdict = await this.send(batch);
    if (!this.ended()) await this.act(batch, verdict);
    this.options.onStep();
  }

  /** A batch that would be small waits for more items, except after a silence. */
  private async nextBatch(): Promise<Batch | undefined> {
    const { sender, config } = this.options;
    const {
      AGENT_BATCH_BYTES: bytes,
      AGENT_BATCH_ITEMS: items,
      AGENT_SEND_EVERY_MS: every,
    } = config.current();
    const early = this.lastCutAt + every - performance.now();
    if (early > 0 && sender.unsentBytes > 0 && sender.unsentBytes < bytes)
      await sleep(early, undefined, { signal: this.stopped.signal });
    this.lastCutAt = performance.now();
    return sender.next({ bytes, items });
  }

  private async send(batch: Batch): Promise<Verdict> {
    const { config, poster, metrics, dataset } = this.options;
    const { AGENT_SERVER_URL: url, AGENT_API_KEY: key } = config.current();
    if (key === '') return { kind: 'blocked', reason: 'there is no API key: set AGENT_API_KEY' };
    this.progress.sends();
    const began = Date.now();
    const verdict = await poster.post(batch, { url, key }, this.stopped.signal).then(
      (answer) => verdictOn(answer, Date.now()),
      (error: unknown): Verdict => ({
        kind: 'later',
        reason: `the server at ${url} cannot be reached (${reasonOf(error)})`,
      }),
    );
    metrics.attempt(dataset, verdict.kind, (Date.now() - began) / 1_000, batch.body.length);
    return verdict;
  }

  private act(batch: Batch, verdict: Verdict): Promise<void> {
    switch (verdict.kind) {
      case 'arrived':
        return this.arrived(batch, verdict);
      case 'later':
        // Not sooner than the server asked, and with jitter. Otherwise all agents would return together or,
        // after a 0, without a pause.
        return this.pause(verdict.reason, (verdict.afterMs ?? 0) + this.backoff.next());
      case 'blocked':
        return this.refused(batch, verdict.reason);
      case 'too-big':
        if (batch.items > 1) return this.options.sender.shrink(Math.floor(batch.items / 2));
        return verdict.isServers ? this.never(batch, verdict.reason) : this.refused(batch, verdict.reason);
      case 'never':
        return this.never(batch, verdict.reason);
      case 'other-spool':
        return batch.damaged ? this.arrivedBefore(batch) : this.renew(verdict.reason);
    }
  }

  /**
   * Finds out whether only this batch is refused, or any batch would be. A batch that the server will never
   * accept is quarantined. If the address, the key or the server's version is at fault, the whole dataset
   * waits until that is corrected.
   */
  private async refused(batch: Batch, reason: string): Promise<void> {
    const { timing } = this.options;
    if (!(await this.serverTakesOthers())) {
      this.refusals = { batch: '', count: 0 };
      return this.pause(reason, timing.slow, true);
    }
    const count = this.refusals.batch === batch.id ? this.refusals.count + 1 : 1;
    this.refusals = { batch: batch.id, count };
    return count < refusalsOfOne ? this.pause(reason, timing.slow) : this.never(batch, reason);
  }

  private async serverTakesOthers(): Promise<boolean> {
    const { config, poster, dataset } = this.options;
    const { AGENT_SERVER_URL: url, AGENT_API_KEY: key } = config.current();
    if (key === '') return false;
    return takesBatches(poster, dataset, { url, key }, this.stopped.signal);
  }

  private async arrived(batch: Batch, arrival: Arrival): Promise<void> {
    const { dataset, metrics, sender } = this.options;
    const { rejected, reasons } = arrival;
    if (rejected > 0) {
      this.progress.rejected(rejected, batch.id, reasons[0]?.detail ?? 'no reason was given');
      metrics.items(dataset, 'rejected', rejected);
      for (const refusal of rejectedOf(batch, arrival)) await this.quarantineItems(batch, refusal);
    }
    metrics.items(dataset, 'arrived', batch.items - rejected);
    this.progress.arrived(batch.items - rejected);
    this.getsThrough();
    await (rejected > 0 ? sender.settle() : sender.acknowledge());
  }

  private async never(batch: Batch, reason: string): Promise<void> {
    const { dataset, metrics, sender } = this.options;
    const items = itemsOf(batch);
    if (await this.quarantineItems(batch, { reason, items, refused: items.length })) {
      this.progress.quarantined(batch.items, batch.id, reason);
      metrics.items(dataset, 'quarantined', batch.items);
    }
    this.getsThrough();
    await sender.settle();
  }

  /**
   * Waits for room on a full disk. If all tries fail, resolves with false: the items are lost, which is
   * logged, and the rest continues.
   */
  private async quarantineItems(batch: Batch, { reason, items, refused }: Refusal): Promise<boolean> {
    const { dataset, quarantine, metrics } = this.options;
    const entry = { at: new Date().toISOString(), dataset, batch: batch.id, reason, items };
    for (let tries = 1; ; tries++) {
      try {
        await quarantine.keep(entry);
        return true;
      } catch (error) {
        if (this.ended()) throw error;
        const why = `items cannot be quarantined: ${reasonOf(error)}`;
        if (tries < triesToQuarantine) await this.pause(why, this.backoff.next());
        else {
          metrics.items(dataset, 'lost', refused);
          this.progress.lost(refused, batch.id, why);
          return false;
        }
      }
    }
  }

  /** The server has another body stored under this id, so this is a remnant: all of the batch had arrived. */
  private async arrivedBefore({ id }: Batch): Promise<void> {
    const { sender, logger, dataset } = this.options;
    logger.info(
      { event: 'damaged-batch-already-sent', dataset, batch: id },
      'a batch that is now damaged on disk had already arrived in full',
    );
    this.getsThrough();
    await sender.acknowledge();
  }

  private async renew(reason: string): Promise<void> {
    const { sender, logger, dataset, timing } = this.options;
    this.conflicts += 1;
    logger.warn(
      { event: 'spool-id-taken', dataset, reason },
      'another spool uses the id of this spool; this one gets a new id',
    );
    if (this.conflicts > 1) await this.pause(reason, timing.slow);
    await sender.renew();
  }

  private getsThrough(): void {
    this.conflicts = 0;
    this.backoff.succeeded();
    this.progress.getsThrough();
  }

  private pause(reason: string, ms: number, heldBack = false): Promise<void> {
    this.progress.waits(reason, ms, heldBack);
    return this.obstacles.wait(ms);
  }
}
