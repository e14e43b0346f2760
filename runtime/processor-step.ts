import { TelltaleError, reasonOf } from './errors.js';
import { largestRecord, sizeOf, type EncodedRecord } from './kafka/produce/appender.js';
import { deadLetterRecord } from './dead-letters/dead-letter.js';
import {
  type IncomingRecord,
  type OutgoingRecord,
  retryLater,
  type Processor,
  type StepContext,
  type StepOutcome,
} from './processor.js';
import type { LogRecord } from './kafka/protocol/record-batches.js';
import type { CodecBook } from './registry/codec-book.js';
import { Slice } from './slice.js';

/** The result of a run of messages of one partition: records to append, and what to count. */
export type StepResult =
  | {
      readonly kind: 'done';
      readonly records: readonly EncodedRecord[];
      readonly counts: ReadonlyMap<string, number>;
      /** How many of the messages, from the first, have an outcome. */
      readonly messages: number;
    }
  /** A dependency is unavailable: nothing of this run may be committed. */
  | { readonly kind: 'retry-later'; readonly cause: unknown };

export interface StepEnvironment<In> {
  readonly processor: Processor<In>;
  readonly codecs: CodecBook;
}

type Decoded<In> =
  | { readonly ok: true; readonly record: IncomingRecord<In> }
  | { readonly ok: false; readonly reason: string };

/** Decodes a run of messages. One that can't be decoded is poison; an unavailable registry is an outage. */
export async function decodeRun<In>(
  { processor, codecs }: StepEnvironment<In>,
  partition: number,
  messages: readonly LogRecord[],
): Promise<readonly Decoded<In>[]> {
  const codec = codecs.of(processor.from);
  const decoded: Decoded<In>[] = [];
  const slice = new Slice();
  for (const message of messages) {
    await slice.pause();
    try {
      if (message.value === null)
        throw new TelltaleError('RECORD_UNDECODABLE', {
          topic: processor.from.name,
          reason: 'it has no value',
        });
      const value = codec.decode(message.value);
      decoded.push({
        ok: true,
        record: {
          topic: processor.from.name,
          partition,
          offset: message.offset,
          key: message.key?.toString() ?? '',
          value: value instanceof Promise ? await value : value,
          appendedAt: message.timestamp * 1_000,
        },
      });
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'RECORD_UNDECODABLE') throw error;
      decoded.push({ ok: false, reason: error.message });
    }
  }
  return decoded;
}

/** The first part of a run, as much as fits into the partition's turn. */
export function turnOf<In>(processor: Processor<In>, run: readonly Decoded<In>[]): readonly Decoded<In>[] {
  const records = run.flatMap((entry) => (entry.ok ? [entry.record] : []));
  if (processor.turn === undefined || records.length === 0) return run;
  const next = records[Math.max(1, processor.turn(records))];
  return next === undefined
    ? run
    : run.slice(
        0,
        run.findIndex((entry) => entry.ok && entry.record === next),
      );
}

/** Runs the step over a run of messages and collects its outcomes, in the order of the messages. */
export async function runStep<In>(
  environment: StepEnvironment<In>,
  messages: readonly LogRecord[],
  decoded: readonly Decoded<In>[],
  partition: number,
  context: StepContext,
): Promise<StepResult> {
  const { processor, codecs } = environment;
  const records = decoded.flatMap((entry) => (entry.ok ? [entry.record] : []));
  const outcomes = records.length === 0 ? [] : await step(processor, records, context);
  const waiting = outcomes.find((outcome) => outcome.kind === 'retry-later');
  if (waiting !== undefined) return { kind: 'retry-later', cause: waiting.cause };

  const wanted: EncodedRecord[] = [];
  const counts = new Map<string, number>();
  let next = 0;
  let done = 0;
  const slice = new Slice();
  for (const message of messages) {
    await slice.pause();
    const entry = decoded[done];
    const outcome: StepOutcome | undefined =
      entry?.ok === true
        ? outcomes[next++]
        : { kind: 'dead-letter', code: 'RECORD_UNDECODABLE', reason: entry?.reason ?? '' };
    if (outcome === undefined || outcome.kind === 'retry-later') break;
    done += 1;
    const settled = encoded(codecs, outcome);
    const label = settled.kind === 'drop' ? `drop: ${settled.reason}` : settled.kind;
    counts.set(label, (counts.get(label) ?? 0) + 1);
    if (settled.kind === 'emit') wanted.push(...settled.records);
    if (settled.kind === 'dead-letter') {
      wanted.push(
        deadLetterRecord({
          topic: processor.from.name,
          partition,
          offset: message.offset,
          key: message.key,
          value: message.value,
          stage: processor.name,
          code: settled.code,
          reason: settled.reason,
          headers: message.headers,
        }),
      );
    }
  }
  return { kind: 'done', records: wanted, counts, messages: done };
}

type Final = Exclude<StepOutcome, { kind: 'retry-later' }>;
type Settled = Exclude<Final, { kind: 'emit' }> | { kind: 'emit'; records: readonly EncodedRecord[] };

/**
 * A record that its schema rejects, or that is too large for its topic, will never be accepted: it becomes a
 * dead letter, and the run continues without it.
 */
function encoded(codecs: CodecBook, outcome: Final): Settled {
  if (outcome.kind !== 'emit') return outcome;
  let records: readonly EncodedRecord[];
  try {
    records = outcome.records.map((record) => encode(codecs, record));
  } catch (error) {
    return { kind: 'dead-letter', code: 'RESULT_UNENCODABLE', reason: reasonOf(error) };
  }
  const tooLarge = records.find((record) => sizeOf(record) > largestRecord);
  if (tooLarge === undefined) return { kind: 'emit', records };
  const reason = `a record for ${tooLarge.topic} has ${sizeOf(tooLarge)} bytes; the limit is ${largestRecord}`;
  return { kind: 'dead-letter', code: 'RESULT_TOO_LARGE', reason };
}

export function encode(codecs: CodecBook, { topic, key, value, partition }: OutgoingRecord): EncodedRecord {
  const bytes = value === null ? null : codecs.of(topic).encode(value);
  const encoded = { topic: topic.name, key, value: bytes };
  return partition === undefined ? encoded : { ...encoded, partition };
}

async function step<In>(
  processor: Processor<In>,
  records: readonly IncomingRecord<In>[],
  context: StepContext,
): Promise<readonly StepOutcome[]> {
  let outcomes: readonly StepOutcome[];
  try {
    outcomes = await processor.step(records, context);
  } catch (cause) {
    // A step that is told to stop may throw: nothing is committed, and nothing is wrong.
    if (context.signal.aborted) return records.map(() => retryLater(cause));
    throw new TelltaleError('STEP_FAILED', { stage: processor.name, reason: reasonOf(cause) }, { cause });
  }
  if (outcomes.length !== records.length) {
    const reason = `it returned ${outcomes.length} outcomes for ${records.length} records`;
    throw new TelltaleError('STEP_FAILED', { stage: processor.name, reason });
  }
  return outcomes;
}
