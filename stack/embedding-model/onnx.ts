import { bytes, bytesOf, integer, integersOf, readMessage, text, textsOf, type Message } from './protobuf.js';

/** The field numbers of onnx.proto3 that are used here. */
const model = { graph: 7, opset: 8 } as const;
const graph = { node: 1, initializer: 5, output: 12 } as const;
const node = { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 } as const;
const tensor = { dims: 1, dataType: 2, name: 8, rawData: 9 } as const;
const attribute = { name: 1, integer: 3, type: 20 } as const;
const dataTypes = { float32: 1, uint8: 2, int8: 3 } as const;
const contribDomain = 'com.microsoft';

export interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The node as the file has it, or will have it. */
  readonly message: Message;
}

export interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly message: Message;
}

/** A graph's nodes and constants, and the rest of the model as it was. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly constants: readonly Tensor[];
  readonly outputs: readonly Uint8Array[];
}

export function graphOf(message: Message): Graph {
  const [found] = bytesOf(message, model.graph);
  if (found === undefined) throw new RangeError('the ONNX file has no graph');
  const fields = readMessage(found);
  return {
    nodes: bytesOf(fields, graph.node).map((value) => nodeOf(readMessage(value))),
    constants: bytesOf(fields, graph.initializer).map((value) => tensorOf(readMessage(value))),
    outputs: bytesOf(fields, graph.output),
  };
}

function nodeOf(message: Message): Node {
  return {
    operator: textsOf(message, node.opType)[0] ?? '',
    inputs: textsOf(message, node.input),
    outputs: textsOf(message, node.output),
    message,
  };
}

function tensorOf(message: Message): Tensor {
  return { name: textsOf(message, tensor.name)[0] ?? '', dims: integersOf(message, tensor.dims), message };
}

export function outputName(output: Uint8Array): string {
  return textsOf(readMessage(output), 1)[0] ?? '';
}

/** The model with another graph, and with the operators of ONNX Runtime's own domain allowed. */
export function withGraph(
  message: Message,
  { nodes, constants, outputs }: Graph,
  write: (message: Message) => Uint8Array,
): Message {
  const [old = new Uint8Array()] = bytesOf(message, model.graph);
  const replaced: readonly number[] = Object.values(graph);
  const changed = [
    ...nodes.map((one) => bytes(graph.node, write(one.message))),
    ...readMessage(old).filter(({ number }) => !replaced.includes(number)),
    ...constants.map((one) => bytes(graph.initializer, write(one.message))),
    ...outputs.map((output) => bytes(graph.output, output)),
  ];
  return [
    ...message.filter(({ number }) => number !== model.graph),
    bytes(model.graph, write(changed)),
    bytes(model.opset, write([text(1, contribDomain), integer(2, 1)])),
  ];
}

export function newNode(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  options: { readonly contrib?: boolean; readonly attributes?: Readonly<Record<string, number>> } = {},
  write: (message: Message) => Uint8Array,
): Node {
  const attributes = Object.entries(options.attributes ?? {}).map(([name, value]) =>
    bytes(
      node.attribute,
      write([text(attribute.name, name), integer(attribute.integer, value), integer(attribute.type, 2)]),
    ),
  );
  const message = [
    ...inputs.map((name) => text(node.input, name)),
    ...outputs.map((name) => text(node.output, name)),
    text(node.opType, operator),
    ...attributes,
    ...(options.contrib === true ? [text(node.domain, contribDomain)] : []),
  ];
  return { operator, inputs, outputs, message };
}

export function newTensor(
  name: string,
  dims: readonly number[],
  values: Float32Array | Uint8Array | Int8Array,
): Tensor {
  const type = values instanceof Float32Array ? 'float32' : values instanceof Uint8Array ? 'uint8' : 'int8';
  const message = [
    ...dims.map((dim) => integer(tensor.dims, dim)),
    integer(tensor.dataType, dataTypes[type]),
    text(tensor.name, name),
    bytes(tensor.rawData, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ];
  return { name, dims, message };
}

/** The numbers of a constant of 32-bit floats. */
export function floatsOf({ name, message }: Tensor): Float32Array {
  const [raw] = bytesOf(message, tensor.rawData);
  if (raw === undefined || integersOf(message, tensor.dataType)[0] !== dataTypes.float32) {
    throw new RangeError(`${name} is not a raw tensor of floats`);
  }
  return new Float32Array(new Uint8Array(raw).buffer);
}
