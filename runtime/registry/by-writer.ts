import { TelltaleError, reasonOf } from '../errors.js';
import type { Registry } from './registry.js';

export const magicByte = 0;
/** The magic byte and the schema id that a value in the Confluent wire format starts with. */
export const headerBytes = 5;

export const undecodable = (topic: string, reason: string, cause?: unknown): TelltaleError =>
  new TelltaleError('RECORD_UNDECODABLE', { topic, reason }, { cause });

/**
 * What `make` returns for each schema that a topic's values were written with. Each is made once, when its id
 * is first seen.
 */
export class ByWriter<Made> {
  private readonly made = new Map<number, Made>();
  private readonly fetching = new Map<number, Promise<Made>>();

  constructor(
    private readonly topic: string,
    private readonly registry: Pick<Registry, 'schemaOf'>,
    private readonly make: (schemaText: string, id: number) => Made,
  ) {}

  know(id: number, made: Made): this {
    this.made.set(id, made);
    return this;
  }

  /**
   * Throws RECORD_UNDECODABLE for bytes that no schema will ever read. Returns a promise if the schema has to
   * be fetched; it rejects with RECORD_UNDECODABLE, or with REGISTRY_UNREACHABLE in an outage (try it again).
   */
  of(bytes: Buffer): Made | Promise<Made> {
    if (bytes.length < headerBytes || bytes[0] !== magicByte) {
      throw undecodable(this.topic, 'it does not begin with the magic byte and a schema id');
    }
    const id = bytes.readInt32BE(1);
    return this.made.get(id) ?? this.fetchOnce(id);
  }

  /** One request per id, however many records of it arrive at once. */
  private fetchOnce(id: number): Promise<Made> {
    const under = this.fetching.get(id);
    if (under !== undefined) return under;
    const fetched = this.fetch(id).finally(() => this.fetching.delete(id));
    this.fetching.set(id, fetched);
    return fetched;
  }

  private async fetch(id: number): Promise<Made> {
    const text = await this.registry.schemaOf(id);
    if (text === undefined) throw undecodable(this.topic, `schema ${id} is not in the registry`);
    try {
      const made = this.make(text, id);
      this.made.set(id, made);
      return made;
    } catch (cause) {
      throw undecodable(this.topic, `schema ${id} does not resolve to ours: ${reasonOf(cause)}`, cause);
    }
  }
}
