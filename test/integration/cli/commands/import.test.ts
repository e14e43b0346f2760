import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import type { ScoringRequest } from '../../../../schemas/generated/scoring-request.js';
import { scoringRequests, taskStatus } from '../../../../topics/scoring.js';
import { applyTopics } from '../../../support/applied.js';
import { runCommand } from '../../../support/commands.js';
import { plainKafka } from '../../../support/kafka.js';
import { spawnTelltale, stackEnvironment } from '../../../support/roles.js';
import { atScale } from '../../../support/scale.js';
import { theStack, type TestStack } from '../../../support/stack.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { recordsOf } from '../../../support/topic-of-test.js';
import { until } from '../../../support/until.js';

describe('telltale import', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let environment: Record<string, string>;
  const folder = temporaryFolder();

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    environment = stackEnvironment(stack);
    await applyTopics(stack);
  });

  const run = (...args: readonly string[]): Promise<string> => runCommand(['import', ...args], environment);
  const stored = async (workspace: string): Promise<readonly ScoringRequest[]> => {
    const codec = await openCodec(scoringRequests, connectRegistry(stack.registryConfig));
    const all: ScoringRequest[] = [];
    for (const { value } of await recordsOf(kafka, scoringRequests.name)) {
      const request = value === null ? undefined : await codec.decode(value);
      if (request?.workspace === workspace) all.push(request);
    }
    return all;
  };
  const file = (name: string, lines: readonly string[]): string => {
    const path = join(folder(), name);
    writeFileSync(path, lines.join('\n'));
    return path;
  };
  const prompts = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `{"prompt":"line ${at + 1}\u2028 ends with a line feed"}`);

  it('makes one task of each line, even if killed and run again, and then accepts a corrected line', async () => {
    const count = 1_500;
    const lines = prompts(count);
    const mended = lines[16] ?? '';
    lines[16] = '{"prompt":""}';
    const args = ['--workspace', 'import-killed'];
    const path = file('killed.ndjson', lines);
    for (let round = 0; round < atScale(1, 10); round++) {
      const killed = spawnTelltale(['import', path, ...args], environment);
      // At any point from the earliest time at which it can have started to commit.
      const timer = setTimeout(() => killed.kill9(), 700 + Math.random() * 1_200);
      await killed.exited;
      clearTimeout(timer);
    }
    await assert.rejects(run(path, ...args), /line 17: `prompt` is empty/);
    // It finds nothing to do, and the rate of the run before stays known.
    await assert.rejects(run(path, ...args));
    const requests = await stored('import-killed');
    assert.equal(requests.length, count - 1);
    assert.equal(new Set(requests.map(({ prompt }) => prompt)).size, count - 1);
    const statuses = await recordsOf(kafka, taskStatus.name);
    const ids = new Set(requests.map(({ id }) => id));
    assert.equal(statuses.filter(({ key }) => ids.has(key?.toString() ?? '')).length, count - 1);

    lines[16] = mended;
    file('killed.ndjson', [...lines, '{"prompt":"one more","metric":"text_metrics"}']);
    assert.match(
      await run(path, ...args, '--dry-run'),
      /"tasks":2,"refused":0.*"disk_bytes":[1-9]\d*,"seconds":1}/,
    );
    await run(path, ...args);
    await run(path, ...args);
    const more = await stored('import-killed');
    assert.equal(more.length, count + 1);
    assert.equal(more.find(({ prompt }) => prompt === 'one more')?.metric, 'text_metrics');
    lines[40] = '{"prompt":"another"}';
    file('killed.ndjson', lines);
    await assert.rejects(
      run(path, ...args),
      /was imported up to line 1501 before, and those lines have changed/,
    );
    assert.equal((await stored('import-killed')).length, count + 1);
  });

  it('imports one portion every five seconds while a task has waited for more than one second', async () => {
    await run(file('waiting.ndjson', prompts(1)), '--workspace', 'import-waiting');
    await sleep(1_500);
    const began = performance.now();
    await run(file('crawling.ndjson', prompts(501)), '--workspace', 'import-crawling');
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(seconds >= 9.5, `${seconds} s`);
    assert.equal((await stored('import-crawling')).length, 501);
  });

  it('reads Parquet as it reads lines', async () => {
    const { url, writer } = stack.clickhouse;
    const sql = `SELECT concat('row ', toString(number)) AS prompt, if(number % 2 = 0, NULL, 'yes') AS response, 1 AS other
                 FROM numbers(250) FORMAT Parquet`;
    for (const method of ['zstd', 'gzip']) {
      const answer = await fetch(`${url}/?output_format_parquet_compression_method=${method}`, {
        method: 'POST',
        body: sql,
        headers: { 'x-clickhouse-user': writer.user, 'x-clickhouse-key': writer.password },
      });
      const path = join(folder(), `${method}.parquet`);
      writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
      await run(path, '--workspace', `import-${method}`, '--metric', 'text_sentiment');
      const requests = await stored(`import-${method}`);
      assert.equal(new Set(requests.map(({ prompt }) => prompt)).size, 250, method);
      assert.equal(requests.filter(({ response }) => response === 'yes').length, 125);
      assert.ok(requests.every(({ metric }) => metric === 'text_sentiment'));
    }
  });

  it('can be paused by another command, and goes on where it was', async () => {
    // At its rate it takes a minute: long enough for the commands that show it and pause it.
    const path = file('paused.ndjson', prompts(600));
    const args = ['--workspace', 'import-paused', '--source', 'paused'];
    const replays = (...of: readonly string[]) => runCommand(['replays', ...of], environment);
    const running = spawnTelltale(['import', path, ...args, '--rate', '10'], environment);
    let id = '';
    await until('a portion is imported', async () => {
      const { replays: all } = JSON.parse(await replays('list', '--json')) as {
        replays: { id: string; what: string; records: number }[];
      };
      const own = all.find(({ what }) => what === 'paused into workspace import-paused');
      id = own?.id ?? '';
      return (own?.records ?? 0) > 0;
    });
    assert.match(await replays('pause', id), /is paused/);
    assert.notEqual(await running.exited, 0);
    const before = (await stored('import-paused')).length;
    assert.ok(before < 600, `${before} tasks`);
    await run(path, ...args);
    assert.equal((await stored('import-paused')).length, 600);
    assert.match(await replays('show', id), /"status": "done"/);
    assert.match(await replays('cancel', id), /is done/);
  });
});
