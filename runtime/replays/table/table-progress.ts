import { z } from 'zod';

/** The progress of a replay of a table: a command that takes over continues from it. */
export type TableProgress = z.output<typeof form>;
export type Piece = TableProgress['pieces'][number];

const intent = z.object({ hi: z.number(), skip: z.array(z.number()) });
/** The position in a partition, as a sink commits it. */
export const position = z.object({
  offset: z.number(),
  metadata: z.object({ run: z.string(), previous: z.number(), intent: intent.optional() }),
});

/** A range of a partition that is read from the topic (table-plan.ts). */
export const partitionPlan = z.object({
  partition: z.number(),
  run: z.string(),
  from: z.number(),
  to: z.number(),
  previous: z.number(),
});

/**
 * The worker of a replay: the command that was typed, or the processes of the sinks, which take over from each other.
 */
export const workerForm = z.enum(['command', 'sinks']);

const form = z.object({
  /** `asked` until it is planned. Before `exchanging` it has no visible effect, and it can be cancelled. */
  phase: z.enum(['asked', 'new', 'filling', 'exchanging', 'done']),
  worker: workerForm.default('command'),
  /** At most this many records per second. */
  rate: z.number().nullable().default(null),
  plan: z.array(partitionPlan),
  /** The holders that might have a shadow (shadow-table.ts), the newest last. */
  holders: z.array(z.string()),
  /** The command that might have closed the table (gate.ts). */
  gate: z.string().nullable(),
  /** The position in each partition of the plan, as a sink commits it. */
  at: z.record(z.string(), position),
  /** Rows to copy, in their order; `to` is exclusive. */
  pieces: z.array(z.object({ partition: z.number(), run: z.string(), from: z.number(), to: z.number() })),
  /** How many of the pieces are copied. */
  copied: z.number(),
});

/** Whether some of the tables might have been exchanged: then the replay can only be finished. */
export const isUnderExchange = ({ phase }: TableProgress): boolean =>
  phase === 'exchanging' || phase === 'done';

export function tableProgressOf(text: string): TableProgress {
  return form.parse(JSON.parse(text));
}
