import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';

/**
 * One kind of data that agents send: how one item is read, and which records a batch's items become. Both are pure,
 * so that a batch sent again is answered as the first time.
 */
export interface AgentDataset<Item = unknown> {
  /** The last segment of the path. */
  readonly name: string;
  /** Reads one line's JSON; `at` is when the batch came, microseconds since 1970. */
  parse(item: unknown, at: number): ParsedItem<Item>;
  /** The records of a valid item, in their order; one by one, as they may come to far more than the item. */
  records(item: Item, context: BatchContext): Iterable<EncodedRecord>;
}

/** `reason` is for the agent's operator: it says what is wrong, and quotes nothing of what was sent. */
type ParsedItem<Item> = { readonly item: Item } | { readonly reason: string };

export interface BatchContext {
  readonly workspace: string;
  readonly keyId: string;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
}
