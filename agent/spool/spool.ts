import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TelltaleError, reasonOf } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';
import { tryLock } from '../../runtime/process/lock-file.js';
import { livingOwner } from '../../runtime/process/pid-file.js';
import { datasets, type Dataset, type Frames, type Outbox } from '../component.js';
import { Budget, type Share } from './budget.js';
import { CursorFile, type Cursor } from './cursor.js';
import type { Disk } from './disk.js';
import { encodeFrames } from './frame.js';
import { Log } from './log.js';
import { standardReadPauses } from './read-around.js';
import { Sender } from './sender.js';

export interface SpoolOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly bytes: number;
  readonly logger: Logger;
  /** Called after each put that has become durable. */
  readonly onPut?: (dataset: Dataset, items: number) => void;
  /** Called when the disk has lost items. */
  readonly onLoss?: (dataset: Dataset, bytes: number) => void;
  readonly newSpoolId?: () => string;
  readonly readPauses?: readonly number[];
}

/** Items that were put and have not arrived yet, on disk. */
export interface Spool extends Outbox {
  readonly budget: Budget;
  sender(dataset: Dataset): Sender;
  close(): Promise<void>;
}

interface Opened {
  readonly log: Log;
  readonly sender: Sender;
  readonly cursorFile: CursorFile;
}

const largestSegment = 16 * 1024 * 1024;

/** Opens the spool in a folder, or starts one. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { folder, bytes, onPut } = options;
  const budget = new Budget(folder, bytes);
  const opened = new Map<Dataset, Opened>();
  for (const dataset of datasets) opened.set(dataset, await openDataset(dataset, budget.share(), options));
  const of = (dataset: Dataset): Opened => {
    const found = opened.get(dataset);
    if (found === undefined) throw new RangeError(`there is no dataset ${dataset}`);
    return found;
  };
  return {
    budget,
    async put(dataset, given) {
      const { bytes: frames, items } = framesOf(given);
      if (items === 0) return;
      await of(dataset).log.append(frames);
      onPut?.(dataset, items);
    },
    bytesCommitted: (dataset) => of(dataset).log.settle(),
    sender: (dataset) => of(dataset).sender,
    async close() {
      for (const { log, cursorFile, sender } of opened.values()) {
        await log.close();
        await sender.rest().catch((error: unknown) => {
          options.logger.warn(
            { event: 'acknowledgement-not-kept', reason: reasonOf(error) },
            'the last batch will be sent once more, under its id',
          );
        });
        await cursorFile.close();
      }
    },
  };
}

function framesOf(given: readonly object[] | Frames): Frames {
  return 'bytes' in given ? given : { bytes: encodeFrames(given), items: given.length };
}

async function openDataset(dataset: Dataset, share: Share, options: SpoolOptions): Promise<Opened> {
  const { disk, logger, onLoss, newSpoolId = randomUUID, readPauses = standardReadPauses } = options;
  const folder = join(options.folder, dataset);
  await disk.makeFolder(folder);
  const { file: cursorFile, found } = await CursorFile.open(await disk.open(join(folder, 'cursor')));
  await disk.syncFolder(folder);
  const segmentBytes = Math.min(largestSegment, Math.ceil(options.bytes / 32));
  const onTornTail = (torn: number): void =>
    logger.warn(
      { event: 'spool-cut', dataset, bytes: torn },
      'the spool ended in a write that was never confirmed; it was cut off',
    );
  const onUnknown = (keptAs: string, size: number): void =>
    logger.error(
      { event: 'spool-foreign-file', dataset, file: keptAs, bytes: size },
      'an unknown file was in the folder of the spool; it was renamed and kept',
    );
  const files = { disk, folder, readPauses, onTornTail, onUnknown };
  const log = await Log.open({ ...files, segmentBytes, share }, leastEnd(found));
  const start = { position: log.start, skip: 0 };
  const cursor = found ?? { spool: newSpoolId(), sequence: 0, from: start, to: start };
  // Only items that have arrived are ever released: a log that starts after the batch's start means that the batch has
  // arrived.
  const from = cursor.from.position < log.start ? cursor.to : cursor.from;
  const sender = new Sender({
    dataset,
    log,
    cursorFile,
    cursor: { ...cursor, from },
    newSpoolId,
    onLoss(lost) {
      logger.error({ event: 'spool-damaged', dataset, bytes: lost }, 'the disk has lost a part of the spool');
      onLoss?.(dataset, lost);
    },
  });
  return { log, sender, cursorFile };
}

/**
 * A frame in which a batch ends has existed, even if the disk has lost it: its position must not be reused.
 */
function leastEnd(cursor: Cursor | undefined): number {
  if (cursor === undefined) return 0;
  return cursor.to.skip === 0 ? cursor.to.position : cursor.to.position + 1;
}

/** Keeps other agents out of a folder; returns the function that releases it. Throws FOLDER_TAKEN. */
export function lockFolder(folder: string, logger: Logger): () => void {
  const path = join(folder, 'agent.lock');
  try {
    const release = tryLock(path);
    if (release !== undefined) return release;
  } catch (error) {
    // A full disk, or a system without locks, must not keep the agent from emptying its spool.
    logger.warn(
      { event: 'folder-not-locked', folder, reason: reasonOf(error) },
      'the folder could not be locked: nothing keeps a second agent out of it',
    );
    return () => undefined;
  }
  throw new TelltaleError('FOLDER_TAKEN', { folder, pid: livingOwner(path) ?? 'unknown' });
}
