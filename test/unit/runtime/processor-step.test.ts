import assert from 'node:assert/strict';
import { largestRecord } from '../../../runtime/kafka/produce/appender.js';
import type { LogRecord } from '../../../runtime/kafka/protocol/record-batches.js';
import { emit, record } from '../../../runtime/processor.js';
import { decodeRun, runStep, turnOf } from '../../../runtime/processor-step.js';
import type { CodecBook } from '../../../runtime/registry/codec-book.js';
import { deadLetterHeaders, deadLettersOf } from '../../../topics/dead-letters.js';
import { echoProcessor, jsonCodecs, numberedTopic, type Numbered } from '../../support/echo-processor.js';
import { jsonCodec } from '../../support/json-codec.js';
import { logRecord } from '../../support/log-records.js';

const from = numberedTopic('from', 1);
const to = numberedTopic('to', 1);
const signal = new AbortController().signal;

const message = (offset: number, value: string): LogRecord =>
  logRecord(offset, value, { key: Buffer.from(`k${offset}`) });

/** Refuses a value as Avro does if the schema does not allow it. */
const refusingThree: CodecBook = {
  of: <Value>() => {
    const codec = jsonCodec<Value>();
    return {
      ...codec,
      encode(value: Value) {
        if ((value as Numbered).n === 3) throw new TypeError('invalid "long": 3');
        return codec.encode(value);
      },
    };
  },
};

describe('a run of records', () => {
  it("passes on results that can be encoded, and dead-letters a record whose result can't", async () => {
    const processor = echoProcessor('echo', from, to);
    const messages = [message(7, '{"n":1}'), message(8, '{"n":3}'), message(9, '{"n":5}')];
    const environment = { processor, codecs: refusingThree };
    const decoded = await decodeRun(environment, 0, messages);
    const result = await runStep(environment, messages, decoded, 0, { signal });
    assert.equal(result.kind, 'done');
    assert.deepEqual(
      result.records.map(({ topic, key }) => [topic, String(key)]),
      [
        ['to', 'k7'],
        [deadLettersOf('from'), 'k8'],
        ['to', 'k9'],
      ],
    );
    assert.equal(String(result.records[1]?.value), '{"n":3}');
    assert.equal(result.records[1]?.headers?.[deadLetterHeaders.code], 'RESULT_UNENCODABLE');
    assert.deepEqual(
      result.counts,
      new Map([
        ['emit', 2],
        ['dead-letter', 1],
      ]),
    );
  });

  it('processes only the first records if they fill a turn, with the poison between them', async () => {
    const processor = { ...echoProcessor('echo', from, to), turn: () => 1 };
    const messages = [
      message(7, '{"n":1}'),
      message(8, 'poison'),
      message(9, '{"n":5}'),
      message(10, 'poison'),
    ];
    const environment = { processor, codecs: jsonCodecs };
    const turn = turnOf(processor, await decodeRun(environment, 0, messages));
    const result = await runStep(environment, messages.slice(0, turn.length), turn, 0, { signal });
    assert.equal(result.kind, 'done');
    assert.equal(result.messages, 2);
    assert.deepEqual(
      result.records.map(({ topic, key }) => [topic, String(key)]),
      [
        ['to', 'k7'],
        [deadLettersOf('from'), 'k8'],
      ],
    );
  });

  it('takes at least one record per turn', async () => {
    const processor = { ...echoProcessor('echo', from, to), turn: () => 0 };
    const decoded = await decodeRun({ processor, codecs: jsonCodecs }, 0, [message(7, '{"n":1}')]);
    assert.equal(turnOf(processor, decoded).length, 1);
  });

  it("passes on nothing of a record if one of its outputs can't be encoded", async () => {
    const processor = echoProcessor('echo', from, to, {
      step: (records) =>
        Promise.resolve(records.map(({ key }) => emit(record(to, key, { n: 1 }), record(to, key, { n: 3 })))),
    });
    const messages = [message(7, '{"n":1}')];
    const decoded = await decodeRun({ processor, codecs: jsonCodecs }, 0, messages);
    const result = await runStep({ processor, codecs: refusingThree }, messages, decoded, 0, { signal });
    assert.equal(result.kind, 'done');
    assert.deepEqual(
      result.records.map(({ topic }) => topic),
      [deadLettersOf('from')],
    );
  });

  it('dead-letters a record whose result is too large for any topic, and passes on the others', async () => {
    const long = 'x'.repeat(largestRecord);
    const processor = echoProcessor('echo', from, to, {
      step: (records) =>
        Promise.resolve(
          records.map(({ key, value }) =>
            emit(record(to, value.n === 3 ? long : key, { n: 1 }), record(to, key, { n: 1 })),
          ),
        ),
    });
    const messages = [message(7, '{"n":1}'), message(8, '{"n":3}')];
    const environment = { processor, codecs: jsonCodecs };
    const decoded = await decodeRun(environment, 0, messages);
    const result = await runStep(environment, messages, decoded, 0, { signal });
    assert.equal(result.kind, 'done');
    assert.deepEqual(
      result.records.map(({ topic, key }) => [topic, String(key).slice(0, 9)]),
      [
        ['to', 'k7'],
        ['to', 'k7'],
        [deadLettersOf('from'), 'k8'],
      ],
    );
    assert.equal(result.records[2]?.headers?.[deadLetterHeaders.code], 'RESULT_TOO_LARGE');
  });
});
