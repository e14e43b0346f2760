import type { Codec } from '../../runtime/codec.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';

/** A codec without a registry, for tests of code that uses codecs. */
export function jsonCodec<Value>(): Codec<Value> {
  return {
    encode: (value) => Buffer.from(JSON.stringify(value)),
    decode(bytes) {
      try {
        return JSON.parse(bytes.toString()) as Value;
      } catch (error) {
        throw new TelltaleError(
          'RECORD_UNDECODABLE',
          { topic: 'any', reason: reasonOf(error) },
          { cause: error },
        );
      }
    },
  };
}
