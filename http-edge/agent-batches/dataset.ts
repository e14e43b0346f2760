import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';

/**
 * One kind of data that agents send: how an item is read, and which records it becomes. Both functions are
 * pure, so a batch that is sent again gets the same answer.
 */
export interface AgentDataset<Item = unknown> {
  /** The last segment of the path. */
  readonly name: string;
  /** Reads one line's JSON. `at` is when the batch arrived, in microseconds since 1970. */
  parse(item: unknown, at: number): ParsedItem<Item>;
  /** The records of a valid item, in order. They come one by one, as they can be far larger than the item. */
  records(item: Item, context: BatchContext): Iterable<EncodedRecord>;
}

/** `reason` is for the agent's operator. It says what is wrong and quotes none of the data. */
type ParsedItem<Item> = { readonly item: Item } | { readonly reason: string };

export interface BatchContext {
  readonly workspace: string;
  readonly keyId: string;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
}
