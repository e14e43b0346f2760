import { z } from 'zod';

/**
 * The metadata of a sink's offset commit. The committed offset is the first one that is not known to be in the table;
 * with an intent, the rows up to `hi` are about to be inserted, or have just been.
 */
export interface CommitMetadata {
  /**
   * Names this run of offsets. It is part of every token, so that a recreated topic of the same name is another run.
   */
  readonly run: string;
  /** Offset of the last row before the committed offset; -1 if there is none. */
  readonly previous: number;
  readonly intent?: Intent;
}

export interface Intent {
  /** The last record of the range. */
  readonly hi: number;
  /** Records that the table will never accept: they are dead letters, and not in the range. */
  readonly skip: readonly number[];
}

/** A commit's metadata may have 4096 bytes, which is enough for this many skipped offsets of any size. */
export const mostSkipped = 150;

const form = z.object({
  v: z.literal(1),
  run: z.string(),
  prev: z.number(),
  hi: z.number().optional(),
  skip: z.array(z.number()).optional(),
});

export function encodeMetadata({ run, previous, intent }: CommitMetadata): string {
  return JSON.stringify({
    v: 1,
    run,
    prev: previous,
    ...(intent === undefined ? {} : { hi: intent.hi }),
    ...(intent === undefined || intent.skip.length === 0 ? {} : { skip: intent.skip }),
  });
}

/** Undefined if no sink wrote it: a tool may have moved the group. */
export function decodeMetadata(text: string | null | undefined): CommitMetadata | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = form.safeParse(json);
  if (!parsed.success) return undefined;
  const { run, prev, hi, skip = [] } = parsed.data;
  return { run, previous: prev, ...(hi === undefined ? {} : { intent: { hi, skip } }) };
}

/** The deduplication token of a range: the same after a crash, and never that of another range. */
export function tokenOf(
  at: { readonly topic: string; readonly partition: number },
  run: string,
  from: number,
  { hi, skip }: Intent,
): string {
  const without = skip.length === 0 ? '' : `-without-${skip.join('-')}`;
  return `${run}:${at.topic}:${at.partition}:${from}-${hi}${without}`;
}
