/**
 * The part of the protobuf wire format that rewriting an ONNX file needs: a message is its fields in order, and an
 * unchanged field keeps its bytes. Source: protobuf.dev, "Encoding".
 */
export type Field =
  | { readonly number: number; readonly wire: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly wire: 'bytes'; readonly value: Uint8Array }
  | { readonly number: number; readonly wire: 'fixed32' | 'fixed64'; readonly value: Uint8Array };

export type Message = readonly Field[];

const wires = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const utf8 = new TextDecoder();

/** Reads one message; the values are views of `bytes`. */
export function readMessage(bytes: Uint8Array): Message {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('a protobuf message ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Uint8Array => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const wire = tag & 7;
    if (wire === wires.varint) fields.push({ number, wire: 'varint', value: varint() });
    else if (wire === wires.bytes) fields.push({ number, wire: 'bytes', value: take(Number(varint())) });
    else if (wire === wires.fixed32) fields.push({ number, wire: 'fixed32', value: take(4) });
    else if (wire === wires.fixed64) fields.push({ number, wire: 'fixed64', value: take(8) });
    else throw new RangeError(`protobuf wire type ${wire} is not known`);
  }
  return fields;
}

export function writeMessage(message: Message): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { number, wire, value } of message) {
    parts.push(varintBytes(BigInt((number << 3) | wires[wire])));
    if (typeof value === 'bigint') parts.push(varintBytes(value));
    else if (wire === 'bytes') parts.push(varintBytes(BigInt(value.length)), value);
    else parts.push(value);
  }
  return Buffer.concat(parts);
}

function varintBytes(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

export function integer(number: number, value: number): Field {
  return { number, wire: 'varint', value: BigInt(value) };
}

export function bytes(number: number, value: Uint8Array): Field {
  return { number, wire: 'bytes', value };
}

export function text(number: number, value: string): Field {
  return bytes(number, new TextEncoder().encode(value));
}

/** The texts of a repeated string field. */
export function textsOf(message: Message, number: number): string[] {
  return bytesOf(message, number).map((value) => utf8.decode(value));
}

/** The values of a repeated bytes or message field. */
export function bytesOf(message: Message, number: number): Uint8Array[] {
  return message.flatMap((field) => (field.number === number && field.wire === 'bytes' ? [field.value] : []));
}

/** The numbers of a repeated integer field that is not packed. */
export function integersOf(message: Message, number: number): number[] {
  return message.flatMap((field) =>
    field.number === number && field.wire === 'varint' ? [Number(field.value)] : [],
  );
}
