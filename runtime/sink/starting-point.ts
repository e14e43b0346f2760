import type { CommitMetadata, Intent } from './intent.js';

/** What is known about a partition when a sink acquires it. */
export interface Findings {
  /** The group's committed offset; -1 if there is none. */
  readonly committed: number;
  readonly metadata: CommitMetadata | undefined;
  /**
   * The last row of this partition in the table. With metadata: of the run that it names, from the committed
   * offset on, because it names the row before. Without metadata: from any offset, and of any run of this
   * log, or of any log if the log's id is unknown.
   */
  readonly lastRow: LastRow | undefined;
  /** Whether that row certainly belongs to this log, and not to an earlier one of the same name. */
  readonly isOfThisLog: boolean;
  /** The first offset that the log still has. */
  readonly logStart: number;
  readonly logEnd: number;
}

export interface LastRow {
  readonly offset: number;
  readonly run: string;
}

/** Where a sink starts: with the range that its predecessor intended, or with a new one. */
export interface StartingPoint {
  /** First offset of the next range. */
  readonly next: number;
  /** Offset of the last row in the table before it; -1 if there is none. */
  readonly previous: number;
  /** Undefined if a new run starts. */
  readonly run: string | undefined;
  readonly intent: Intent | undefined;
  /** A remark for operators. */
  readonly remark?: 'committed-offset-is-stale' | 'position-is-lost' | 'retention-overtook';
}

/** A starting point with its run, continued or new. */
export interface RunStart extends StartingPoint {
  readonly run: string;
}

/**
 * Decides where to start. A range is inserted only after its intent was committed, so the table can't have
 * rows beyond the group's commit. If it does, the commit that was read is not the last one (or was lost with
 * a disk), and the rows are more reliable. They are never inserted twice: the sink continues after the
 * table's last row.
 */
export function startingPoint(found: Findings): StartingPoint {
  const { committed, metadata, lastRow, logStart, logEnd } = found;
  const largestInTable = lastRow?.offset ?? -1;
  const intent = metadata?.intent;
  const known = intent === undefined ? committed - 1 : Math.max(committed - 1, intent.hi);
  if (metadata === undefined && largestInTable >= logEnd) {
    // Rows beyond the log end belong to another log, or to records at the end that this one has lost.
    const from = found.isOfThisLog ? logEnd : logStart;
    return { next: Math.max(committed, from), previous: -1, run: undefined, intent: undefined };
  }
  if (committed < 0 && largestInTable < 0) {
    return { next: logStart, previous: -1, run: undefined, intent: undefined };
  }
  if (largestInTable > known) {
    return {
      next: Math.max(largestInTable + 1, logStart),
      previous: largestInTable,
      run: metadata?.run ?? lastRow?.run,
      intent: undefined,
      remark: committed < 0 ? 'position-is-lost' : 'committed-offset-is-stale',
    };
  }
  if (intent === undefined || intent.hi < committed) {
    const overtaken = logStart > committed;
    return {
      next: Math.max(committed, logStart),
      previous: metadata?.previous ?? largestInTable,
      run: metadata?.run,
      intent: undefined,
      ...(overtaken ? { remark: 'retention-overtook' as const } : {}),
    };
  }
  if (logStart > committed) {
    // The range can't be read again as it was. Its insert stored all of it or nothing: the table tells which.
    const inserted = largestInTable >= committed;
    return {
      next: inserted ? Math.max(intent.hi + 1, logStart) : logStart,
      previous: inserted ? largestInTable : (metadata?.previous ?? -1),
      run: metadata?.run,
      intent: undefined,
      remark: 'retention-overtook',
    };
  }
  return { next: committed, previous: metadata?.previous ?? -1, run: metadata?.run, intent };
}
