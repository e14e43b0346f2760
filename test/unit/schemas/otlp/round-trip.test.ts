import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTraces } from '../../../../schemas/otlp/read-request.js';
import type { SpanBlock } from '../../../../schemas/otlp/span-block.js';
import { writeTraces } from '../../../../schemas/otlp/write-request.js';
import { otlpRequest } from '../../../support/otlp-arbitrary.js';
import { haveOtlpPayloads, otlpPayloads } from '../../../support/otlp-payloads.js';
import { runs } from '../../../support/properties.js';

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('OTLP that is read into blocks and written again', () => {
  it('is the same, whatever OTLP allows', () => {
    fc.assert(
      fc.property(otlpRequest, (request) => {
        const { blocks, rejected, reasons } = readTraces(bytesOf(request));
        assert.deepEqual({ rejected, reasons }, { rejected: 0, reasons: [] });
        const sent = JSON.parse(JSON.stringify(blocks)) as readonly SpanBlock[];
        assert.deepEqual(JSON.parse(JSON.stringify(writeTraces(sent))), JSON.parse(JSON.stringify(request)));
      }),
      { numRuns: runs(100) },
    );
  });

  it('is the same with its 64-bit integers as bare numbers', () => {
    fc.assert(
      fc.property(otlpRequest, (request) => {
        const text = JSON.stringify(request).replace(
          /"(intValue|\w+UnixNano)":"(-?\d+)"/g,
          (_, name: string, digits: string) => `"${name}":${digits}`,
        );
        assert.deepEqual(readTraces(Buffer.from(text)), readTraces(bytesOf(request)));
      }),
      { numRuns: runs(60) },
    );
  });

  it('is the same in snake_case', () => {
    fc.assert(
      fc.property(otlpRequest, (request) => {
        const snake = inSnakeCase(JSON.parse(JSON.stringify(request)));
        assert.deepEqual(readTraces(bytesOf(snake)), readTraces(bytesOf(request)));
      }),
      { numRuns: runs(60) },
    );
  });

  it('keeps every span of what clients in the field send', function () {
    if (!haveOtlpPayloads()) this.skip();
    for (const { name, bytes } of otlpPayloads()) {
      const root = JSON.parse(bytes.toString()) as object;
      const request = 'resourceSpans' in root ? root : { resourceSpans: [root] };
      const read = readTraces(bytesOf(request));
      assert.deepEqual(
        { rejected: read.rejected, reasons: read.reasons, accepted: read.accepted },
        {
          rejected: 0,
          reasons: [],
          accepted: (JSON.stringify(request).match(/"startTimeUnixNano"/g) ?? []).length,
        },
        name,
      );
      assert.deepEqual(readTraces(bytesOf(writeTraces(read.blocks))).blocks, read.blocks, name);
    }
  });
});

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(child),
    ]),
  );
}
