import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { newKey } from '../support/operator-questions.js';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import { connectRaw, postHead, statusesIn, wholePost, type RawConnection } from '../support/raw-http.js';
import { scoredAlone } from '../support/scored-alone.js';
import { taskClient } from '../support/task-client.js';
import { until } from '../support/until.js';

const task = '/api/v1/monitoring/metrics/text-metrics/task';
const mebibyte = 1024 * 1024;

interface Row {
  readonly task_id: string;
  readonly prompt: string;
  readonly response: string | null;
  readonly letters: number;
  readonly sentiment: number;
}

describe('a whole pipeline under hostile input', () => {
  let pipeline: Pipeline;
  let port: number;
  let watch: Watch;
  let neighbour: Neighbour;
  const open: RawConnection[] = [];

  before(async () => {
    const shared = await sharedPipeline(`hostile-${randomUUID().slice(0, 8)}`);
    const times = { EDGE_HEADERS_TIMEOUT_MS: '3000', EDGE_REQUEST_TIMEOUT_MS: '5000' };
    pipeline = { ...shared, edge: await shared.anotherEdge(times) };
    port = Number(new URL(pipeline.edge.url).port);
    neighbour = await startNeighbour(pipeline);
    watch = watchLiveness(pipeline);
  });
  after(async () => {
    for (const { socket } of open) socket.destroy();
    await pipeline.edge.stop();
  });

  const connection = async (): Promise<RawConnection> => {
    const raw = await connectRaw(port);
    open.push(raw);
    return raw;
  };
  const head = (headers: readonly string[]): string => postHead(task, pipeline.key, headers);
  const whole = (body: string | Buffer, headers?: readonly string[]): Buffer =>
    wholePost(task, pipeline.key, body, headers);
  const gzip = ['Content-Encoding: gzip'];

  it('refuses each attack with a clear error, though all of them come at once', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * mebibyte, ' '));
    const attacks: readonly (readonly [string, readonly number[], string | Buffer, 'end'?])[] = [
      ['JSON nested a million deep', [400], whole('['.repeat(mebibyte - 10))],
      ['a gzip bomb', [413], whole(bomb, gzip)],
      ['gzip that is cut short', [400], whole(gzipSync('{"prompt":"a"}').subarray(0, -6), gzip)],
      ['a length over the limit', [413], head([`Content-Length: ${10 ** 12}`])],
      ['a length that the body does not reach', [400], `${head(['Content-Length: 99'])}{"prompt":"`, 'end'],
      ['a body that never comes', [408], head(['Content-Length: 99'])],
      ['headers that never end', [408], `POST ${task} HTTP/1.1\r\nHost: edge\r\n`],
      ['a flood of headers', [431], head(Array.from({ length: 2_000 }, (_, at) => `X-${at}: aaaaaaaa`))],
      ['two lengths', [400], head(['Content-Length: 5', 'Content-Length: 6'])],
      ['a length and chunks', [400], head(['Content-Length: 5', 'Transfer-Encoding: chunked'])],
      ['chunks that make no sense', [400], `${head(['Transfer-Encoding: chunked'])}zz\r\n`],
      [
        'nonsense behind a refused request',
        [422, 400],
        Buffer.concat([whole('{}'), Buffer.from('N\r\n\r\n')]),
      ],
      ['what is not HTTP', [400], '\u0016\u0003\u0001\u0002\u0000\u0001'],
      ['a raw NUL in a string', [400], whole('{"prompt":"a\u0000b"}'), 'end'],
      ['bytes that are not UTF-8', [400], whole(Buffer.from('7b2270726f6d7074223a22c328227d', 'hex')), 'end'],
      ['a text over the limit', [422], whole(JSON.stringify({ prompt: 'a'.repeat(100_001) })), 'end'],
    ];
    await Promise.all(
      attacks.map(async ([name, statuses, bytes, end]) => {
        const raw = await connection();
        raw.send(bytes);
        if (end === 'end') raw.socket.end();
        else if (statuses.length === 1) raw.send('');
        const received = await Promise.race([raw.untilClosed(), untilAnswered(raw, statuses.length)]);
        assert.deepEqual(statusesIn(received), statuses, name);
        assert.match(received, /application\/problem\+json[^]*"detail":"[^"]+"/, name);
      }),
    );
  });

  it('drops clients that disconnect midway, and crowds that fall silent', async () => {
    const crowd = await Promise.all(Array.from({ length: 300 }, () => connection()));
    crowd.forEach((raw, at) => {
      raw.send(at % 2 === 0 ? 'POST / HT' : `${head(['Content-Length: 50'])}{"prompt":"gone`);
      if (at % 3 === 0) raw.socket.resetAndDestroy();
    });
    for (const raw of crowd) await raw.untilClosed();
    const metrics = async (): Promise<string> => (await fetch(`${pipeline.edge.url}/metrics`)).text();
    while (!/^telltale_http_requests_in_flight 1$/m.test(await metrics())) await sleep(20);
  });

  const texts: Readonly<Record<string, Taken>> = {
    'lone surrogates, as U+FFFD': taken('{"prompt":"\\ud800 a \\udfff"}', '\ufffd a \ufffd'),
    NUL: taken('{"prompt":"a\\u0000b.","response":"\\u0000"}', 'a\0b.', '\0'),
    'duplicate keys, the last one': taken('{"prompt":"a","prompt":"Nice b."}', 'Nice b.'),
    'deep nesting beside': taken(`{"x":${'['.repeat(9_999)}${']'.repeat(9_999)},"prompt":"Deep."}`, 'Deep.'),
    'a byte order mark': taken('\ufeff{"prompt":"Marked."}', 'Marked.'),
    'what SQL and TSV take for something else': same("'); DROP TABLE x; --\t\\N\\t\n\r\\"),
    'what JSON and scripts take for something else': same('</script>"},{\u2028\u2029\u0085\u001b[31m'),
    'the longest text in the widest characters': same('😀'.repeat(100_000)),
    'one word without end': same('a'.repeat(100_000)),
    'combining marks upon one letter': same(`a${'\u0301'.repeat(5_000)}\u202e\uffff`),
    'a compressed body': taken(gzipSync('{"prompt":"Small and good."}'), 'Small and good.', null, gzip),
  };
  /** The answer to each text. The first test that asks sends all of them at once. */
  let answered: Promise<ReadonlyMap<string, string>> | undefined;
  const sendAll = async (): Promise<ReadonlyMap<string, string>> => {
    const sent = Object.entries(texts).map(async ([name, { body, headers }]) => {
      const raw = await connection();
      raw.send(whole(body, headers));
      raw.socket.end(); // half-closed: the client has sent everything, and still reads
      return [name, await raw.untilClosed()] as const;
    });
    return new Map(await Promise.all(sent));
  };
  for (const [name, { prompt, response }] of Object.entries(texts))
    it(`takes ${name}: the right answer, and the right row`, async () => {
      answered ??= sendAll();
      const received = (await answered).get(name) ?? '';
      assert.deepEqual(statusesIn(received), [202]);
      const id = /"task_id":"([^"]+)"/.exec(received)?.[1] ?? '';
      const [row] = await rowsOf(pipeline, [id]);
      const alone = scoredAlone('text_metrics', prompt);
      assert.deepEqual(row, {
        task_id: id,
        prompt,
        response,
        letters: alone['prompt.letter_count'],
        sentiment: alone['prompt.sentiment_lexicon'],
      });
      const client = taskClient(pipeline.edge.url, pipeline.key, 1);
      let answer = await client.status(id);
      while (answer.code === 503) answer = await client.status(id);
      client.close();
      const { body: outcome } = answer;
      const { metrics } = outcome['result'] as { metrics: { text_metrics: Record<string, unknown> } };
      const { created_at: at, ...values } = metrics.text_metrics;
      assert.match(String(at), /Z$/);
      assert.deepEqual(values, alone);
    });

  it('stores nothing else from the attackers, and everything from their neighbour, who noticed nothing', async () => {
    const { sent, refused } = await neighbour.stop();
    assert.deepEqual(refused, []);
    assert.ok(sent.size > 10);
    const rows = await rowsOf(pipeline, [...sent.keys()]);
    assert.deepEqual(new Map(rows.map((row) => [row.task_id, row.prompt])), sent);
    assert.equal(rows.length, sent.size);
    const [counted] = await pipeline.query<{ rows: number }>(
      `SELECT toUInt32(count()) AS rows FROM telltale.scoring_results WHERE workspace =
         (SELECT any(workspace) FROM telltale.scoring_results WHERE key_id = '${pipeline.key.split('_')[1] ?? ''}')`,
    );
    assert.equal(counted?.rows, Object.keys(texts).length);
  });

  it('kept every process alive throughout', async () => {
    const { asked, failures } = await watch.stop();
    assert.ok(asked > 30);
    assert.deepEqual(failures, []);
    for (const role of [pipeline.edge, pipeline.processors, pipeline.sinks])
      assert.equal((await fetch(`${role.url}/readyz`)).status, 200);
  });
});

/** A body that is accepted, and the texts stored from it. */
interface Taken {
  readonly body: string | Buffer;
  readonly prompt: string;
  readonly response: string | null;
  readonly headers: readonly string[];
}

function taken(
  body: string | Buffer,
  prompt: string,
  response: string | null = null,
  headers: readonly string[] = [],
): Taken {
  return { body, prompt, response, headers };
}

/** A text that is sent and stored unchanged, in both fields. */
function same(text: string): Taken {
  return taken(JSON.stringify({ prompt: text, response: text }), text, text);
}

async function untilAnswered(raw: RawConnection, count: number): Promise<string> {
  while (statusesIn(raw.received()).length < count || !raw.received().endsWith('}')) await sleep(5);
  return raw.received();
}

/** The rows of these tasks, once all are stored. */
async function rowsOf(pipeline: Pipeline, ids: readonly string[]): Promise<readonly Row[]> {
  let rows: readonly Row[] = [];
  await until('the rows are there', async () => {
    rows = await pipeline.query<Row>(
      `SELECT task_id, prompt, response, prompt_letter_count AS letters, prompt_sentiment_lexicon AS sentiment
       FROM telltale.scoring_results WHERE task_id IN ('${ids.join("','")}')`,
    );
    return rows.length >= ids.length;
  });
  return rows;
}

interface Neighbour {
  stop(): Promise<{ readonly sent: ReadonlyMap<string, string>; readonly refused: readonly string[] }>;
}

/** A client of another workspace that sends ordinary tasks, one after the other. */
async function startNeighbour({ edge, environment }: Pipeline): Promise<Neighbour> {
  const key = await newKey(environment, 'neighbour', ['metrics']);
  const client = taskClient(edge.url, key, 1);
  while ((await client.status(randomUUID())).code !== 404) await sleep(20);
  const sent = new Map<string, string>();
  const refused: string[] = [];
  let stopped = false as boolean;
  const running = (async () => {
    while (!stopped) {
      const prompt = `An ordinary question ${randomUUID()}`;
      const attempt = await client.submit(task, { prompt });
      if (attempt.kind === 'accepted') sent.set(attempt.taskId, prompt);
      else refused.push(attempt.reason);
      await sleep(50);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      client.close();
      return { sent, refused };
    },
  };
}

interface Watch {
  stop(): Promise<{ readonly asked: number; readonly failures: readonly string[] }>;
}

/** Polls the liveness of every process. */
function watchLiveness({ edge, processors, sinks }: Pipeline): Watch {
  const failures: string[] = [];
  let asked = 0;
  let stopped = false as boolean;
  const watchOne = async (url: string): Promise<void> => {
    while (!stopped) {
      const answer = await fetch(`${url}/livez`).catch(
        (error: unknown) => `${String(error)} (${String((error as Error).cause)})`,
      );
      asked += 1;
      if (typeof answer === 'string') failures.push(`${url}: ${answer}`);
      else if (answer.status !== 200) failures.push(`${url}: ${answer.status}`);
      if (typeof answer !== 'string') await answer.text();
      await sleep(50);
    }
  };
  const running = Promise.all([edge, processors, sinks].map(({ url }) => watchOne(url)));
  return {
    async stop() {
      stopped = true;
      await running;
      return { asked, failures };
    },
  };
}
