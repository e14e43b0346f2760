import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { ingestBatches } from '../../topics/ingest.js';
import { hopOf, isoOf, type Found, type Hop } from './found.js';
import { look, type FindSources, type Question, type Seen } from './sources.js';

/** Finds an agent's batch (`<spool>/<number>`), or a spool. Only the last batch of each dataset is kept. */
export async function findBatch(
  id: string,
  { spool, sequence }: { readonly spool: string; readonly sequence: number | undefined },
  question: Question,
  sources: FindSources,
): Promise<Found> {
  const { seen, complete, oldest } = await lookForSpool(spool, question, sources);
  const last = lastOfEach(seen);
  const hops = last.map(({ topic, partition, record, value }): Hop =>
    hopOf(`last batch of ${value?.dataset ?? 'a dataset'}`, {
      ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
      detail:
        value === undefined
          ? null
          : `number ${value.sequence}, ${value.accepted} items accepted, ${value.rejected_count} not`,
    }),
  );
  const taken = last.filter(({ value }) => sequence === undefined || (value?.sequence ?? -1) >= sequence);
  const of = { id, kind: 'batch', complete, hops } as const;
  if (taken.length > 0)
    return {
      ...of,
      outcome: 'taken',
      detail: `The edge has accepted it: ${taken.map(({ value }) => value?.dataset ?? '').join(', ')}.`,
      not_seen_since: null,
    };
  return {
    ...of,
    outcome: 'not seen',
    detail:
      last.length === 0
        ? 'No batch of this spool was accepted.'
        : 'This spool has not reached that number: the agent still has the batch, or never made it.',
    not_seen_since: isoOf(oldest),
  };
}

export function lookForSpool(spool: string, question: Question, sources: FindSources) {
  const within = `/${spool}/`;
  return look(
    ingestBatches,
    { matches: ({ key }) => key?.toString().includes(within) === true, most: 10_000 },
    question,
    sources,
  );
}

/** The last record of each key: compaction might not have run yet. */
export function lastOfEach(seen: readonly Seen<IngestBatch>[]): readonly Seen<IngestBatch>[] {
  return [...new Map(seen.map((one) => [one.record.key?.toString(), one])).values()];
}
