/** Turns values of one topic into bytes in the Confluent wire format, and back. */
export interface Codec<Value> {
  /** Magic byte, schema id, Avro. The caller may keep the buffer. */
  encode(value: Value): Buffer;
  /** Reads any version of the schema that was ever registered; throws RECORD_UNDECODABLE. */
  decode(bytes: Buffer): Promise<Value> | Value;
}
