import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { connectRaw, postHead, statusesIn, wholePost, type RawConnection } from '../../support/raw-http.js';

const task = '/api/v1/monitoring/metrics/text-metrics/task';
const mebibyte = 1024 * 1024;

describe('the edge under hostile input', () => {
  let edge: EdgeInMemory;
  let open: RawConnection[] = [];

  before(async () => {
    edge = await startEdgeInMemory({
      config: { EDGE_HEADERS_TIMEOUT_MS: 400, EDGE_REQUEST_TIMEOUT_MS: 600, EDGE_MAX_CONNECTIONS: 200 },
    });
  });
  after(() => edge.stop());
  beforeEach(() => void edge.ports.requests.splice(0));
  afterEach(async () => {
    for (const { socket } of open) socket.destroy();
    open = [];
    const alive = await edge.get('/livez');
    assert.equal(alive.status, 200);
    await alive.text();
  });

  const connection = async (): Promise<RawConnection> => {
    const raw = await connectRaw(edge.port);
    open.push(raw);
    return raw;
  };
  const head = (headers: readonly string[], path = task): string => postHead(path, edge.token, headers);
  const whole = (body: string | Buffer, headers?: readonly string[]): Buffer =>
    wholePost(task, edge.token, body, headers);
  const answerTo = async (bytes: string | Buffer): Promise<string> => {
    const raw = await connection();
    raw.send(bytes);
    return raw.until(/\r\n\r\n[^]*\}$/);
  };
  const metricsShow = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(await (await edge.get('/metrics')).text()));
  };
  const prompts = (): readonly string[] => edge.ports.requests.map(({ prompt }) => prompt);

  describe('in the body', () => {
    for (const [name, body, status] of [
      ['JSON nested a million deep', '['.repeat(mebibyte - 10), 400],
      ['objects nested deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 422],
      ['a number past every range', '{"prompt":1e999999}', 422],
      ['a body that is only white space', ' \n ', 400],
      ['an empty body', '', 400],
      ['a cut body', '{"prompt":"a', 400],
      ['single quotes', "{'prompt':'a'}", 400],
      ['two values', '{"prompt":"a"}{"prompt":"b"}', 400],
      ['a raw control character in a string', '{"prompt":"a\u0000b"}', 400],
      ['a prompt from a prototype', '{"__proto__":{"prompt":"a"}}', 422],
      ['a constructor instead of a prompt', '{"constructor":{"prototype":{"prompt":"a"}}}', 422],
      ['a prompt over the limit', JSON.stringify({ prompt: 'a'.repeat(100_001) }), 422],
    ] as const)
      it(`answers ${status} to ${name}`, async () => {
        assert.deepEqual(statusesIn(await answerTo(whole(body))), [status]);
        assert.deepEqual(prompts(), []);
      });

    for (const [name, body, prompt] of [
      [
        'deep nesting in a field nobody reads',
        `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)},"prompt":"a"}`,
        'a',
      ],
      ['a lone surrogate, as U+FFFD', '{"prompt":"a\\ud800b"}', 'a\ufffdb'],
      ['a surrogate pair', '{"prompt":"\\ud83d\\ude00"}', '😀'],
      ['NUL, escaped', '{"prompt":"a\\u0000b"}', 'a\0b'],
      ['duplicate keys, the last one', '{"prompt":"a","prompt":"b"}', 'b'],
      ['a byte order mark', '\ufeff{"prompt":"a"}', 'a'],
      ['an own __proto__ field', '{"__proto__":1,"prompt":"a"}', 'a'],
      [
        'the longest prompt in the widest characters',
        JSON.stringify({ prompt: '😀'.repeat(100_000) }),
        '😀'.repeat(100_000),
      ],
    ] as const)
      it(`takes ${name}`, async () => {
        assert.deepEqual(statusesIn(await answerTo(whole(body))), [202]);
        assert.deepEqual(prompts(), [prompt]);
      });

    it('answers 400 to bytes that are not UTF-8', async () => {
      const body = Buffer.concat([
        Buffer.from('{"prompt":"'),
        Buffer.of(0xc3, 0x28, 0xff),
        Buffer.from('"}'),
      ]);
      assert.deepEqual(statusesIn(await answerTo(whole(body))), [400]);
    });
  });

  describe('in compression', () => {
    const compressed = (bytes: Buffer): Buffer => whole(bytes, ['Content-Encoding: gzip']);

    it('stops a bomb at the limit', async () => {
      const bomb = gzipSync(Buffer.alloc(200 * mebibyte, ' '));
      assert.ok(bomb.length < mebibyte);
      const before = process.memoryUsage().rss;
      assert.deepEqual(statusesIn(await answerTo(compressed(bomb))), [413]);
      assert.ok(process.memoryUsage().rss - before < 100 * mebibyte);
    });

    it('stops a bomb that is made of many members', async () => {
      const member = gzipSync(Buffer.alloc(mebibyte / 2, ' '));
      assert.deepEqual(
        statusesIn(await answerTo(compressed(Buffer.concat(Array(10).fill(member) as Buffer[])))),
        [413],
      );
    });

    it('answers 400 to data that is cut short or no gzip at all', async () => {
      const good = gzipSync('{"prompt":"a"}');
      assert.deepEqual(statusesIn(await answerTo(compressed(good.subarray(0, -6)))), [400]);
      assert.deepEqual(statusesIn(await answerTo(compressed(Buffer.from('{"prompt":"a"}')))), [400]);
      assert.deepEqual(statusesIn(await answerTo(compressed(Buffer.alloc(0)))), [400]);
    });
  });

  describe('in lengths', () => {
    it('answers 413 to a declared length over the limit, before the body comes', async () => {
      const raw = await connection();
      raw.send(head([`Content-Length: ${10 ** 12}`]));
      assert.deepEqual(statusesIn(await raw.untilClosed()), [413]);
    });

    it('answers 413 to a client that never stops sending chunks', async () => {
      const raw = await connection();
      raw.send(head(['Transfer-Encoding: chunked']));
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
      for (let count = 0; count < 40; count += 1) raw.send(chunk);
      assert.deepEqual(statusesIn(await raw.untilClosed()), [413]);
    });

    it('answers 400 to a body that ends before its declared length', async () => {
      const raw = await connection();
      raw.send(head(['Content-Length: 100']));
      raw.send('{"prompt":"a"}');
      raw.socket.end();
      assert.deepEqual(statusesIn(await raw.untilClosed()), [400]);
      assert.deepEqual(prompts(), []);
    });

    it('takes bytes beyond the declared length as an invalid request', async () => {
      const raw = await connection();
      raw.send(`${head(['Content-Length: 14'])}{"prompt":"a"}{"prompt":"b"}`);
      assert.deepEqual(statusesIn(await raw.untilClosed()), [202, 400]);
      assert.deepEqual(prompts(), ['a']);
    });

    for (const [name, headers] of [
      ['both a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
      ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
      ['a negative length', ['Content-Length: -5']],
      ['a length that is no number', ['Content-Length: five']],
      ['two hosts', ['Host: other', 'Content-Length: 0']],
      ['two hosts that are the same', ['Host: edge', 'Content-Length: 0']],
    ] as const)
      it(`answers 400 to ${name}`, async () => {
        const raw = await connection();
        raw.send(head(headers));
        assert.deepEqual(statusesIn(await raw.untilClosed()), [400]);
        assert.deepEqual(prompts(), []);
      });

    for (const coding of ['gzip', 'gzip, chunked', 'chunked, chunked', 'identity, chunked', 'chunked, gzip'])
      it(`refuses a body in the transfer codings ${coding}, which it would not undo`, async () => {
        const raw = await connection();
        raw.send(`${head([`Transfer-Encoding: ${coding}`])}e\r\n{"prompt":"a"}\r\n0\r\n\r\n`);
        const [status] = statusesIn(await raw.untilClosed());
        assert.ok(status === 501 || status === 400, String(status));
        assert.deepEqual(prompts(), []);
      });

    for (const [name, body] of [
      ['a chunk size that is no number', 'zz\r\nabc\r\n0\r\n\r\n'],
      ['a chunk that is longer than it says', '2\r\n{"prompt":"a"}\r\n0\r\n\r\n'],
      ['a chunk size past every range', 'ffffffffffffffffff\r\n'],
    ] as const)
      it(`answers 400 to ${name}`, async () => {
        const raw = await connection();
        raw.send(head(['Transfer-Encoding: chunked']) + body);
        assert.deepEqual(statusesIn(await raw.untilClosed()), [400]);
        assert.match(raw.received(), /urn:telltale:problem:malformed-request/);
      });

    it('takes a body in chunks of one byte', async () => {
      const body = Array.from('{"prompt":"a"}', (byte) => `1\r\n${byte}\r\n`).join('');
      assert.deepEqual(
        statusesIn(await answerTo(`${head(['Transfer-Encoding: chunked'])}${body}0\r\n\r\n`)),
        [202],
      );
    });
  });

  describe('in time', () => {
    it('answers 408 to headers that come too slowly', async () => {
      const raw = await connection();
      raw.send(`POST ${task} HTTP/1.1\r\nHost: edge\r\n`);
      assert.deepEqual(statusesIn(await raw.untilClosed()), [408]);
    });

    it('answers 408 to a body that comes too slowly', async () => {
      const raw = await connection();
      raw.send(`${head(['Content-Length: 1000'])}{"prompt":"`);
      const drip = setInterval(() => raw.send('a'), 50);
      const received = await raw.untilClosed();
      clearInterval(drip);
      assert.deepEqual(statusesIn(received), [408]);
      assert.match(received, /request_id/);
      assert.deepEqual(prompts(), []);
    });

    it('closes a refused connection whose client does not send what it announced', async () => {
      const raw = await connection();
      raw.send(head(['Content-Length: 1000']).replace(edge.token, 'tt_no_key'));
      assert.deepEqual(statusesIn(await raw.untilClosed()), [401]);
    });

    it('counts a client that goes away in the middle, and stores nothing', async () => {
      const raw = await connection();
      raw.send(`${head(['Content-Length: 1000'])}{"prompt":"`);
      await metricsShow(/requests_in_flight 2/);
      raw.socket.resetAndDestroy();
      await metricsShow(/status="499"/);
      assert.deepEqual(prompts(), []);
    });

    it('serves others while a hundred connections stand idle', async () => {
      for (let count = 0; count < 100; count += 1) (await connection()).send('POST / HT');
      assert.equal((await edge.post(task, { prompt: 'a' })).status, 202);
    });
  });

  describe('in the protocol', () => {
    it('answers pipelined requests in their order', async () => {
      const raw = await connection();
      const requests = Array.from({ length: 20 }, (_, index) =>
        whole(JSON.stringify({ prompt: `p${index}` })),
      );
      raw.send(Buffer.concat(requests));
      const received = await raw.until(/(HTTP\/1\.1 202[^]*){20}\}$/);
      const ids = [...received.matchAll(/"task_id":"([^"]+)"/g)].map((match) => match[1]);
      assert.deepEqual(
        ids.map((id) => edge.ports.requests.find((request) => request.id === id)?.prompt),
        Array.from({ length: 20 }, (_, index) => `p${index}`),
      );
    });

    it('answers the request before nonsense, and then 400', async () => {
      const raw = await connection();
      raw.send(Buffer.concat([whole('{"prompt":"a"}'), Buffer.from('NONSENSE\r\n\r\n')]));
      assert.deepEqual(statusesIn(await raw.untilClosed()), [202, 400]);
    });

    it('answers 431 to a flood of headers', async () => {
      const raw = await connection();
      raw.send(head(Array.from({ length: 2_000 }, (_, index) => `X-Flood-${index}: aaaaaaaa`)));
      assert.deepEqual(statusesIn(await raw.untilClosed()), [431]);
    });

    for (const [name, bytes] of [
      ['what is not HTTP', '\u0016\u0003\u0001\u0002\u0000\u0001'],
      ['a header with NUL inside', 'GET /livez HTTP/1.1\r\nHost: edge\r\nX-A: b\u0000c\r\n\r\n'],
      ['HTTP of another version', 'GET / HTTP/9.9\r\n\r\n'],
      ['a missing host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ] as const)
      it(`answers 400 to ${name}`, async () => {
        const raw = await connection();
        raw.send(bytes);
        assert.deepEqual(statusesIn(await raw.untilClosed()), [400]);
        assert.match(raw.received(), /application\/problem\+json/);
      });

    it('answers 100 Continue for an acceptable body, and refuses one that is too long without it', async () => {
      const small = await connection();
      small.send(head(['Content-Length: 14', 'Expect: 100-continue']));
      await small.until(/100 Continue/);
      small.send('{"prompt":"a"}');
      assert.deepEqual(statusesIn(await small.until(/\}$/)), [100, 202]);
      const long = await connection();
      long.send(head([`Content-Length: ${2 * mebibyte}`, 'Expect: 100-continue']));
      assert.deepEqual(statusesIn(await long.untilClosed()), [413]);
    });

    it('asks for no body if it refuses the key, path or media type, and closes', async () => {
      const expecting = head(['Content-Length: 14', 'Expect: 100-continue']);
      for (const [request, status] of [
        [expecting.replace(edge.token, 'tt_no_key'), 401],
        [expecting.replace(task, '/nowhere'), 404],
        [expecting.replace('application/json', 'text/plain'), 415],
      ] as const) {
        const raw = await connection();
        raw.send(request);
        assert.deepEqual(statusesIn(await raw.untilClosed()), [status]);
      }
    });

    it('answers 501 to CONNECT, and closes', async () => {
      const raw = await connection();
      raw.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
      assert.deepEqual(statusesIn(await raw.untilClosed()), [501]);
    });

    for (const [name, target, status] of [
      ['a path that climbs', '/api/v1/../../etc/passwd', 404],
      ['a broken escape', '/api/v1/keys/%zz', 400],
      ['an escaped NUL', '/api/v1/monitoring/metrics/task/%00/status', 404],
      ['a double slash', '//api/v1/monitoring/metrics/text-metrics/task', 404],
      ['a target that is a whole URL', `http://edge${task}`, 202],
    ] as const)
      it(`answers ${status} to ${name}`, async () => {
        const method = target.includes('keys') || target.includes('%00') ? 'GET' : 'POST';
        const request = whole('{"prompt":"a"}').toString().replace(`POST ${task}`, `${method} ${target}`);
        assert.deepEqual(statusesIn(await answerTo(request)), [status]);
      });

    it('answers a HEAD and an unknown method correctly', async () => {
      const raw = await connection();
      raw.send(`HEAD /livez HTTP/1.1\r\nHost: e\r\n\r\nBREW / HTTP/1.1\r\nHost: e\r\n\r\n`);
      assert.deepEqual(statusesIn(await raw.untilClosed()), [200, 400]);
    });
  });

  it('says nothing of a key in any metric', async () => {
    const metrics = await (await edge.get('/metrics')).text();
    assert.doesNotMatch(metrics, /tt_|testkey|the-secret/);
  });
});
