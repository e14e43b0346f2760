import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { fromContainer } from '../../../../../agent/slowlogs/tail/container-lines.js';
import { readLines, type Line } from '../../../../../agent/slowlogs/tail/read-lines.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { ecsLine, numbersIn, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

type WriteRecord = (piece: string, isLast: boolean, stream: string) => string;

const time = '2026-11-21T07:08:18.601234567Z';
const formats: Readonly<Record<string, WriteRecord>> = {
  "Docker's driver json-file": (piece, isLast, stream) =>
    `${JSON.stringify({ log: isLast ? `${piece}\n` : piece, stream, time })}\n`,
  Kubernetes: (piece, isLast, stream) => `${time} ${stream} ${isLast ? 'F' : 'P'} ${piece}\n`,
};

/** Splits output as a container's log does, with at most `longest` bytes per record. */
function recordsWith(
  write: WriteRecord,
  written: string,
  longest = 16 * 1024,
  stream = 'stdout',
): readonly string[] {
  const records: string[] = [];
  for (const line of written.split('\n').slice(0, -1)) {
    const bytes = Buffer.from(line);
    let at = 0;
    do {
      let end = Math.min(bytes.length, at + longest);
      // No character is split between two records.
      while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
      records.push(write(bytes.subarray(at, end).toString(), end === bytes.length, stream));
      at = end;
    } while (at < bytes.length);
  }
  return records;
}

async function linesIn(text: string): Promise<readonly Line[]> {
  async function* reads(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 65_536)
      yield await Promise.resolve(bytes.subarray(at, at + 65_536));
  }
  const lines: Line[] = [];
  for await (const line of fromContainer(readLines(reads(), 0))) lines.push(line);
  return lines;
}

const textsOf = (lines: readonly Line[]): readonly (readonly [string, string | null])[] =>
  lines.map(({ text, tail }) => [text, tail]);

for (const [format, write] of Object.entries(formats))
  describe(`the log that ${format} keeps of a container`, () => {
    const folder = temporaryFolder();
    const recordsOf = (written: string, longest?: number, stream?: string): readonly string[] =>
      recordsWith(write, written, longest, stream);

    it('holds the lines that its process wrote, wherever they were split', async () => {
      const line = fc
        .string({ unit: 'grapheme', maxLength: 300 })
        .map((text) => text.replace(/[\r\n]/g, ' '));
      await fc.assert(
        fc.asyncProperty(fc.array(line), fc.integer({ min: 8, max: 100 }), async (written, longest) => {
          const text = written.map((each) => `${each}\n`).join('');
          const lines = await linesIn(recordsOf(text, longest).join(''));
          assert.deepEqual(textsOf(lines), textsOf(await linesIn(text)));
        }),
      );
    });

    it('gives as much of a line as a plain file would, and no incomplete line', async () => {
      for (const length of [16_383, 16_384, 16_385, 100_000, 1_048_576, 1_048_577, 3_000_000]) {
        const text = `${'0123456789'.repeat(length / 10 + 1).slice(0, length)}\nnext\n`;
        const records = recordsOf(text);
        const [line, next] = await linesIn(records.join(''));
        const [wanted] = await linesIn(text);
        assert.equal(line?.text, wanted?.text);
        assert.equal(line?.tail === null, wanted?.tail === null);
        const tail = line?.tail ?? '';
        const least = Math.min(65_536, Math.max(0, length - 1_048_576));
        assert.ok(text.slice(0, -6).endsWith(tail) && tail.length >= least);
        assert.equal(line?.end, Buffer.byteLength(records.slice(0, -1).join('')));
        assert.equal(next?.text, 'next');
        assert.deepEqual(await linesIn(records.slice(0, -2).join('')), []);
      }
    });

    it('loses no line to what the process wrote to stderr between two records of it', async () => {
      const [first = '', second = ''] = recordsOf('0123456789\n', 6);
      const [warning = ''] = recordsOf('WARNING: old JDK\n', 100, 'stderr');
      assert.deepEqual(textsOf(await linesIn(first + warning + second)), [['0123456789', null]]);
    });

    it('is read like a slow log if it is named: every entry once, through a rotation, among server log lines', async () => {
      mkdirSync(`${folder()}/logs/es-0_6f2a/elasticsearch`, { recursive: true });
      const outbox = memoryOutbox();
      const path = `${folder()}/logs/es-0_6f2a/elasticsearch/0.log`;
      const server =
        '{"type": "server", "timestamp": "2026-11-21T07:08:18,601Z", "level": "INFO", "component": "o.e.n.Node", "message": "started"}\n';
      const collect = async (): Promise<readonly string[]> => {
        const watch = await watchOver(
          folder(),
          outbox,
          {},
          { searchLogPath: `${folder()}/logs/es-0_*/elasticsearch/*.log` },
        );
        await watch.collect();
        return watch.status().notes;
      };
      const long = ecsLine(`{"number":1,"terms":[${'"é\\\\", '.repeat(20_000)}1]}`);
      const records = recordsOf(server + searchLine(0) + long + searchLine(2) + server + searchLine(3));
      assert.ok(records.length > 10);
      for (const [index, record] of records.entries()) {
        appendFileSync(path, record.slice(0, 40));
        if (index % 3 === 0) assert.deepEqual(await collect(), []);
        appendFileSync(path, record.slice(40));
        if (index % 3 === 1) assert.deepEqual(await collect(), []);
      }
      renameSync(path, `${path}.20261121-070818`);
      writeFileSync(path, recordsOf(searchLine(4)).join(''));
      assert.deepEqual(await collect(), []);
      assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4]);
    });
  });
