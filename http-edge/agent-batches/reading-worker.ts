import { batchWorker, workerSettings } from '../../runtime/pool/batch-worker.js';
import { reasonOf } from '../../runtime/errors.js';
import { Problem } from '../../runtime/http/problem.js';
import { codecsOfIds } from '../../runtime/registry/codec-book.js';
import type { BatchContext } from './dataset.js';
import { agentDatasets, agentTopics } from './datasets.js';
import { readBatch, type ReadBatch } from './read-batch.js';

export interface ReadingJob {
  readonly body: Uint8Array;
  readonly dataset: string;
  readonly context: BatchContext;
}

/** The result. All values are in one buffer, which passes between threads at the cost of one copy. */
export type ReadingAnswer =
  | (Omit<ReadBatch, 'records'> & {
      /** The topic of all records: a dataset has one. */
      readonly topic: string;
      readonly keys: readonly string[];
      readonly values: Uint8Array;
      /** The end of each value, in bytes. */
      readonly ends: Uint32Array;
    })
  | { readonly tooLarge: string }
  /** Not the batch's fault. */
  | { readonly failed: string };

const schemaIds = workerSettings() as Readonly<Record<string, number>>;
const datasets = new Map(
  agentDatasets(codecsOfIds(agentTopics, schemaIds)).map((dataset) => [dataset.name, dataset]),
);

/** The worker thread's side of the batch reader. */
export const read = batchWorker<ReadingJob, ReadingAnswer>(async ({ body, dataset: name, context }) => {
  try {
    const dataset = datasets.get(name);
    if (dataset === undefined) throw new RangeError(`there is no dataset ${name}`);
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
    return packed(await readBatch(bytes, dataset, context));
  } catch (error) {
    return error instanceof Problem ? { tooLarge: error.message } : { failed: reasonOf(error) };
  }
});

function packed({ records, ...said }: ReadBatch): ReadingAnswer {
  const ends = new Uint32Array(records.length);
  let end = 0;
  for (const [index, { value }] of records.entries()) {
    end += value?.length ?? 0;
    ends[index] = end;
  }
  return {
    ...said,
    topic: records[0]?.topic ?? '',
    keys: records.map(({ key }) => String(key)),
    values: Buffer.concat(
      records.map(({ value }) => value ?? Buffer.alloc(0)),
      end,
    ),
    ends,
  };
}
