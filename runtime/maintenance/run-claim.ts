import { randomUUID } from 'node:crypto';
import type { MaintenanceRun } from '../../schemas/generated/maintenance-run.js';
import { maintenanceRuns } from '../../topics/maintenance.js';
import { Backoff, pause } from '../backoff.js';
import type { Codec } from '../codec.js';
import { TelltaleError } from '../errors.js';
import type { KafkaAccess } from '../kafka/client/kafka-access.js';
import { readPartition } from '../kafka/consume/read-log.js';
import {
  openTransactionalProducer,
  type TransactionalProducer,
} from '../kafka/transactions/transactional-producer.js';

export interface RunClaimOptions {
  readonly access: KafkaAccess;
  readonly codec: Codec<MaintenanceRun>;
  /** Names this process to readers of the topic. */
  readonly process: string;
  /** A process that does not renew its hold counts as alive for this long. */
  readonly holdMs?: number;
}

export type Outcome = 'good' | 'found' | 'failed';

/**
 * `done`: another process has run it for this scheduled time or a later one. `running`: another process is running it.
 */
export type NotTaken = 'done' | 'running';

const standardHoldMs = 60_000;
const mostTries = 8;

/**
 * This process's claim to run a task: no other process runs it until the claim ends or its hold runs out.
 *
 * A task has one transactional id. Opening a producer under it fences every other process and waits until its
 * transaction has ended. Only then is the last run read. So of all processes that want the same run, one
 * writes its claim and the others find it. A process that was fenced while it held the claim opens the id
 * again and continues: the claim is still its own.
 */
export class RunClaim {
  private readonly ended = new AbortController();
  private readonly renewing: Promise<void>;

  private constructor(
    private readonly options: RunClaimOptions,
    private run: MaintenanceRun,
    private producer: TransactionalProducer | undefined,
  ) {
    this.renewing = this.renew();
  }

  /** Rejects with KAFKA_UNREACHABLE, APPEND_FAILED or PRODUCER_FENCED if the outcome stays unknown. */
  static async take(options: RunClaimOptions, task: string, due: Date): Promise<RunClaim | NotTaken> {
    const run_id = randomUUID();
    const due_at = due.getTime() * 1_000;
    return insisting(async () => {
      const { producer, last } = await open(options, task);
      try {
        if (last?.run_id === run_id) return new RunClaim(options, last, producer);
        const refused = last === undefined ? undefined : refusalOf(last, due_at);
        if (refused !== undefined) {
          await producer.discard();
          return refused;
        }
        const run: MaintenanceRun = {
          task,
          run_id,
          process: options.process,
          due_at,
          started_at: Date.now() * 1_000,
          held_until: heldUntil(options),
          ended_at: null,
          outcome: null,
          detail: null,
        };
        await producer.commit([recordOf(options, run)]);
        return new RunClaim(options, run, producer);
      } catch (error) {
        await producer.discard();
        throw error;
      }
    });
  }

  /** Lets the next run be claimed. False if the hold had run out and another process has taken the task. */
  async end(outcome: Outcome, detail: string): Promise<boolean> {
    this.ended.abort();
    await this.renewing;
    try {
      return await this.write({ ended_at: Date.now() * 1_000, outcome, detail });
    } finally {
      await this.producer?.discard();
    }
  }

  private async renew(): Promise<void> {
    const { holdMs = standardHoldMs } = this.options;
    for (;;) {
      await pause(holdMs / 3, this.ended.signal);
      if (this.ended.signal.aborted) return;
      const isHeld = await this.write({ held_until: heldUntil(this.options) }).catch(() => true);
      if (!isHeld) return;
    }
  }

  private write(change: Partial<MaintenanceRun>): Promise<boolean> {
    return insisting(async () => {
      if (this.producer === undefined) {
        const { producer, last } = await open(this.options, this.run.task);
        this.producer = producer;
        if (last?.run_id !== this.run.run_id) return false;
      }
      const next = { ...this.run, ...change };
      try {
        await this.producer.commit([recordOf(this.options, next)]);
        this.run = next;
        return true;
      } catch (error) {
        await this.producer.discard();
        this.producer = undefined;
        throw error;
      }
    });
  }
}

function refusalOf(last: MaintenanceRun, dueAt: number): NotTaken | undefined {
  if (last.ended_at === null && last.held_until > Date.now() * 1_000) return 'running';
  return last.due_at >= dueAt ? 'done' : undefined;
}

const heldUntil = ({ holdMs = standardHoldMs }: RunClaimOptions): number => (Date.now() + holdMs) * 1_000;

function recordOf({ codec }: RunClaimOptions, run: MaintenanceRun) {
  return { topic: maintenanceRuns.name, key: run.task, value: codec.encode(run) };
}

async function open(
  { access, codec }: RunClaimOptions,
  task: string,
): Promise<{ readonly producer: TransactionalProducer; readonly last: MaintenanceRun | undefined }> {
  const topics = [maintenanceRuns.name];
  const producer = await openTransactionalProducer(access, `telltale.maintenance.${task}`, { topics });
  try {
    const { signal } = new AbortController();
    const options = { topic: maintenanceRuns, codec, partition: 0, kafka: access, signal };
    return { producer, last: (await readPartition(options)).values.get(task) };
  } catch (error) {
    await producer.discard();
    throw error;
  }
}

/** Processes that want the same run fence each other in turn: the pauses let one of them write its claim. */
async function insisting<Result>(work: () => Promise<Result>): Promise<Result> {
  const backoff = new Backoff(100, 5_000);
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const isPassing =
        error instanceof TelltaleError &&
        (error.code === 'PRODUCER_FENCED' || error.code === 'APPEND_FAILED');
      if (!isPassing || tried === mostTries) throw error;
      await pause(backoff.next());
    }
  }
}
