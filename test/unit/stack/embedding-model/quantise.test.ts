import assert from 'node:assert/strict';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  newNode,
  newTensor,
  type Node,
  type Tensor as Constant,
} from '../../../../stack/embedding-model/onnx.js';
import {
  bytes,
  integer,
  text,
  writeMessage,
  type Message,
} from '../../../../stack/embedding-model/protobuf.js';
import { quantise } from '../../../../stack/embedding-model/quantise.js';

const size = 128;
const words = 1200;
/** Small numbers of either sign, the same in every run. */
const numbers = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * i));

/** `Gather(table, ids) × matrix`, as ONNX would write it, with an unused branch. */
function model(): Uint8Array {
  const node = (operator: string, inputs: string[], outputs: string[]): Node =>
    newNode(operator, inputs, outputs, {}, writeMessage);
  const nodes = [
    node('Gather', ['table', 'ids'], ['looked_up']),
    node('MatMul', ['looked_up', 'matrix'], ['states']),
    node('Tanh', ['looked_up'], ['unneeded']),
  ];
  const constants: Constant[] = [
    newTensor('table', [words, size], numbers(words * size)),
    newTensor('matrix', [size, size], numbers(size * size)),
  ];
  const value = (name: string, type: number): Uint8Array => {
    const shape = bytes(2, writeMessage([bytes(1, writeMessage([text(2, 'n')]))]));
    const tensor = type === 7 ? [integer(1, type), shape] : [integer(1, type)];
    return writeMessage([text(1, name), bytes(2, writeMessage([bytes(1, writeMessage(tensor))]))]);
  };
  const graph: Message = [
    ...nodes.map(({ message }) => bytes(1, writeMessage(message))),
    text(2, 'graph'),
    ...constants.map(({ message }) => bytes(5, writeMessage(message))),
    bytes(11, value('ids', 7)),
    bytes(12, value('states', 1)),
    bytes(12, value('unneeded', 1)),
  ];
  return writeMessage([
    integer(1, 8),
    bytes(7, writeMessage(graph)),
    bytes(8, writeMessage([text(1, ''), integer(2, 17)])),
  ]);
}

async function run(file: Uint8Array): Promise<{ outputs: readonly string[]; states: Float32Array }> {
  const session = await InferenceSession.create(file);
  const ids = new Tensor('int64', BigInt64Array.from([0n, 7n, 1199n]), [3]);
  const { states } = await session.run({ ids });
  return { outputs: session.outputNames, states: states?.data as Float32Array };
}

const norm = (values: Float32Array): number => Math.hypot(...values);

describe('rewriting a model to 8-bit weights', () => {
  it('keeps what the model computes, but for the rounding', async () => {
    const exact = await run(model());
    const rewritten = await run(quantise(model()));
    const errors = exact.states.map((value, index) => value - (rewritten.states[index] ?? NaN));
    assert.ok(norm(errors) / norm(exact.states) < 0.01);
  });

  it('leaves out what the first output does not need', async () => {
    assert.deepEqual((await run(model())).outputs, ['states', 'unneeded']);
    assert.deepEqual((await run(quantise(model()))).outputs, ['states']);
  });

  it('makes a file a quarter of the size', () => {
    assert.ok(quantise(model()).length < model().length / 3.5);
  });
});
