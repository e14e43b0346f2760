import type { CommitMetadata, Intent } from './intent.js';

/** What is known of a partition when a sink acquires it. */
export interface Findings {
  /** The group's committed offset; -1 where there is none. */
  readonly committed: number;
  readonly metadata: CommitMetadata | undefined;
  /**
   * The last row of this partition in the table. With metadata: of the run that it names, and from the committed offset on,
   * as it names the row before. Without: from any offset, and of any run of this log; of any log where its id is unknown.
   */
  readonly lastRow: LastRow | undefined;
  /** Whether that row is certainly of this log, and not of one that had the name before. */
  readonly isOfThisLog: boolean;
  /** The first offset that the log still has. */
  readonly logStart: number;
  /** Where the log ends. */
  readonly logEnd: number;
}

export interface LastRow {
  readonly offset: number;
  readonly run: string;
}

/** Where a sink begins: with the range that its predecessor intended, or with a new one. */
export interface StartingPoint {
  /** First offset of the next range. */
  readonly next: number;
  /** Offset of the last row in the table before it; -1 where there is none. */
  readonly previous: number;
  /** Undefined where a new run begins. */
  readonly run: string | undefined;
  readonly intent: Intent | undefined;
  /** A remark for operators. */
  readonly remark?: 'committed-offset-is-stale' | 'position-is-lost' | 'retention-overtook';
}

/** A starting point whose run is the one that goes on, or a new one. */
export interface RunStart extends StartingPoint {
  readonly run: string;
}

/**
 * Decides where to begin. A range is only inserted after its intent was committed, so the table can't have rows beyond
 * the group's commit. Where it does, the commit that was read is not the last one (or was lost with a disk), and the
 * rows are the better witness. They are never inserted twice: the sink continues at the table's end.
 */
export function startingPoint(found: Findings): StartingPoint {
  const { committed, metadata, lastRow, logStart, logEnd } = found;
  const largestInTable = lastRow?.offset ?? -1;
  const intent = metadata?.intent;
  const known = intent === undefined ? committed - 1 : Math.max(committed - 1, intent.hi);
  if (metadata === undefined && largestInTable >= logEnd) {
    // Rows beyond the end of the log: they belong to another one, or to an end that this one has lost.
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
