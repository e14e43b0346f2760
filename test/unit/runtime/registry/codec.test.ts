import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TaskStatus } from '../../../../schemas/generated/task-status.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { createCodec } from '../../../../runtime/registry/codec.js';
import { readSchema } from '../../../../runtime/registry/registry.js';

const own = readSchema('task-status');
/** The schema before `metric` was added, with a field that has since been removed. */
const earlier = JSON.stringify({
  ...(JSON.parse(own) as object),
  fields: [
    ...(JSON.parse(own) as { fields: { name: string }[] }).fields.filter(
      ({ name }) => name !== 'request_digest',
    ),
    { name: 'gone', type: 'string', default: '' },
  ],
});
const none = { schemaOf: () => Promise.resolve(undefined) };

const statuses: fc.Arbitrary<TaskStatus> = fc.record(
  {
    task_id: fc.uuid(),
    workspace: fc.string({ unit: 'grapheme' }),
    metric: fc.string(),
    status: fc.constantFrom('queued', 'processing', 'processed', 'failed'),
    message: fc.string({ unit: 'grapheme', maxLength: 20_000 }),
    result: fc.option(fc.string({ unit: 'grapheme' })),
    error: fc.option(fc.string()),
    accepted_at: fc.nat({ max: 2 ** 31 - 1 }).map((seconds) => seconds * 1_000_000),
    updated_at: fc.nat({ max: 2 ** 31 - 1 }).map((seconds) => seconds * 1_000_000),
    request_digest: fc.option(fc.string()),
  },
  { noNullPrototype: true },
);

const codeOf = (decoding: () => unknown): unknown => {
  try {
    decoding();
    return 'decoded';
  } catch (error) {
    return error instanceof TelltaleError ? error.code : error;
  }
};

describe('codec', () => {
  const codec = createCodec<TaskStatus>('scoring.task-status', own, 7, none);

  it('gives back what it encoded, whatever the size', () => {
    fc.assert(
      fc.property(statuses, (status) => {
        assert.deepEqual({ ...(codec.decode(codec.encode(status)) as TaskStatus) }, status);
      }),
    );
  });

  it('writes the Confluent wire format', () => {
    const bytes = codec.encode(fc.sample(statuses, 1)[0] as TaskStatus);
    assert.equal(bytes[0], 0);
    assert.equal(bytes.readInt32BE(1), 7);
  });

  it('gives buffers that a later record does not overwrite', () => {
    const [first, second] = fc.sample(statuses, 2) as [TaskStatus, TaskStatus];
    const bytes = codec.encode(first);
    codec.encode(second);
    assert.deepEqual({ ...(codec.decode(bytes) as TaskStatus) }, first);
  });

  it('reads an earlier version of the schema', async () => {
    const old = createCodec<TaskStatus & { gone: string }>('scoring.task-status', earlier, 3, none);
    const now = createCodec<TaskStatus>('scoring.task-status', own, 7, {
      schemaOf: () => Promise.resolve(earlier),
    });
    const [status] = fc.sample(statuses, 1) as [TaskStatus];
    const read = await now.decode(old.encode({ ...status, gone: 'x' }));
    assert.deepEqual({ ...read }, { ...status, request_digest: null });
  });

  it('calls anything else poison', async () => {
    const whole = codec.encode(fc.sample(statuses, 1)[0] as TaskStatus);
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('{"task_id":1}'),
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.from([1])]),
    ]) {
      assert.equal(
        codeOf(() => codec.decode(bytes)),
        'RECORD_UNDECODABLE',
      );
    }
    const unknownSchema = Buffer.concat([Buffer.from([0, 0, 0, 0, 99]), whole.subarray(5)]);
    await assert.rejects(Promise.resolve(codec.decode(unknownSchema)), { code: 'RECORD_UNDECODABLE' });
  });

  it('distinguishes an outage of the registry from poison', async () => {
    const away = new TelltaleError('REGISTRY_UNREACHABLE', { url: 'http://127.0.0.1:1', reason: 'refused' });
    const blind = createCodec<TaskStatus>('scoring.task-status', own, 7, {
      schemaOf: () => Promise.reject(away),
    });
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 0, 99]), Buffer.from('anything')]);
    await assert.rejects(Promise.resolve(blind.decode(bytes)), { code: 'REGISTRY_UNREACHABLE' });
  });
});
