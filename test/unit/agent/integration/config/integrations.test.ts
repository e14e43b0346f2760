import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { z } from 'zod';
import { integrationFile, knownMembers } from '../../../../../agent/integration/config/file-form.js';
import { parseIntegrations, type Integration } from '../../../../../agent/integration/config/integrations.js';
import { readIntegrations } from '../../../../../agent/integration/config/read-integrations.js';

const least = { service: 'elasticsearch', host: 'es1.example.org' };

function one(more: object = {}): Integration {
  const { entries } = parseIntegrations(JSON.stringify({ ...least, ...more }));
  assert.ok(entries[0]);
  return entries[0];
}

const problemsOf = (text: string): string => {
  try {
    parseIntegrations(text);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('integration.json', () => {
  it('needs only the service and the host', () => {
    const entry = one();
    assert.equal(entry.monitor, true);
    assert.equal(entry.url, 'http://es1.example.org:9200');
    assert.deepEqual(entry.authentication, { kind: 'none' });
    assert.equal(entry.verifyCertificate, true);
    assert.equal(entry.requestTimeoutMs, 15_000);
    assert.deepEqual(entry.advanced, {
      enabled: true,
      indices: true,
      shards: true,
      clusterStats: true,
      pendingTasks: true,
      recovery: true,
      tasks: true,
      dataStreams: true,
      allocationExplain: true,
      maxIndices: 200,
      maxIndicesPerPayload: 200,
      maxShards: 2000,
      maxNodes: 200,
      indexIntervalSeconds: 300,
      shardIntervalSeconds: 300,
      clusterStatsIntervalSeconds: 300,
      metadataIntervalSeconds: 900,
      recoveryIntervalSeconds: 300,
      taskIntervalSeconds: 600,
      slowSearchThresholdMs: 500,
      slowIndexingThresholdMs: 500,
    });
    assert.deepEqual(entry.slowlog, {
      enabled: false,
      searchLogPath: '',
      indexingLogPath: '',
      logDirectories: [],
      minDurationMs: 0,
      maxEntriesPerCollection: 200,
      queryText: 'scrubbed',
      maxQueryLength: 2000,
      maxSourceLength: 512,
      storeSource: false,
    });
  });

  it('fills in what is left out of its parts', () => {
    const { advanced, slowlog } = one({ advanced: { shards: false }, slowlog: { enabled: true } });
    assert.deepEqual([advanced.shards, advanced.indices, advanced.maxShards], [false, true, 2000]);
    assert.deepEqual([slowlog.enabled, slowlog.maxQueryLength], [true, 2000]);
  });

  it('takes the port as text or number, and addresses of both kinds', () => {
    assert.equal(one({ protocol: 'https', port: '9243' }).url, 'https://es1.example.org:9243');
    assert.equal(one({ port: 9201 }).url, 'http://es1.example.org:9201');
    assert.equal(one({ host: '10.1.2.3' }).url, 'http://10.1.2.3:9200');
    assert.equal(one({ host: '::1' }).url, 'http://[::1]:9200');
    assert.equal(one({ host: '[fe80::1]' }).url, 'http://[fe80::1]:9200');
  });

  it('is one object or an array, and says which', () => {
    const several = parseIntegrations(JSON.stringify([least, { ...least, host: 'b', monitor: false }]));
    assert.equal(several.form, 'several');
    assert.deepEqual(
      several.entries.map(({ url, monitor }) => [url, monitor]),
      [
        ['http://es1.example.org:9200', true],
        ['http://b:9200', false],
      ],
    );
    assert.equal(parseIntegrations(JSON.stringify(least)).form, 'one');
    assert.deepEqual(parseIntegrations('[]').entries, []);
  });

  it('gives the API key precedence over a user, in either of its forms', () => {
    const pair = 'VuaCfGcBCdbkQm-e5aOx:ui2lp2axTNmsyakw9tvNnw';
    const encoded = Buffer.from(pair).toString('base64');
    const user = { username: 'monitor', password: 'of the monitor' };
    const wrapped = `${encoded.slice(0, 40)}\r\n${encoded.slice(40)}`;
    for (const apiKey of [pair, encoded, ` ${encoded}\n`, wrapped]) {
      const { authentication } = one({ ...user, apiKey });
      assert.equal(authentication.kind === 'api-key' && authentication.encoded.reveal(), encoded);
    }
    const { authentication } = one({ ...user, apiKey: '' });
    assert.equal(authentication.kind === 'basic' && authentication.password.reveal(), user.password);
    assert.equal(one({ username: '', password: '', apiKey: '' }).authentication.kind, 'none');
  });

  it('tells every mistake at once, with its place', () => {
    const text = `[
  ${JSON.stringify(least)},
  { "service": "solr", "port": "99999", "password": "hunter2",
    "tls": { "ca": 3 }, "verifyCertificate": "no",
    "advanced": { "maxShards": 0, "indexIntervalSeconds": 1e9 }, "slowlog": [] }
]`;
    const problems = problemsOf(text);
    for (const location of [
      '3:16 /1/service',
      '3:3 /1/host is missing',
      '3:32 /1/port must be a port',
      '3:3 /1/username username and password go together',
      '4:20 /1/tls/ca',
      '4:46 /1/verifyCertificate',
      '5:32 /1/advanced/maxShards',
      '5:59 /1/advanced/indexIntervalSeconds',
      '5:77 /1/slowlog',
    ]) {
      assert.ok(problems.includes(`integration.json:${location}`), `${location} in\n${problems}`);
    }
    assert.doesNotMatch(problems, /hunter2/);
  });

  it('has an error for each mistake that says what the value must be, and also names unknown members', () => {
    const problems = problemsOf(
      '{"host": "a", "protocol": "HTTPS", "requestTimeoutMs": "15000", "tls": null, "monitor": 1, "recovry": 1}',
    );
    for (const words of [
      '/service is missing: give "elasticsearch"',
      '/protocol must be "http" or "https"',
      '/requestTimeoutMs must be a number, without quotes',
      '/tls must be an object, as in {}; leave it out for the default',
      '/monitor must be true or false, without quotes',
      '/recovry is not known, and is ignored',
    ]) {
      assert.ok(problems.includes(words), `${words} in\n${problems}`);
    }
  });

  it('is refused if a host has more than a name or address, or if an API key is malformed', () => {
    for (const host of ['http://es1', 'es1:9200', 'user:pw@es1', 'es1/path', 'a b', '']) {
      assert.match(
        problemsOf(JSON.stringify({ ...least, host })),
        /1:35 \/host must be a name or an address/,
      );
    }
    for (const host of ['10.0.0.256', 'es1.example.org.99', '::::', '[1]', 'xn--a']) {
      assert.match(problemsOf(JSON.stringify({ ...least, host })), /\/host is not a usable name or address/);
    }
    const problems = problemsOf(JSON.stringify({ ...least, apiKey: 'ui2lp2axTNmsyakw9tvNnw' }));
    assert.match(problems, /\/apiKey is neither/);
    assert.doesNotMatch(problems, /ui2lp2/);
  });

  it('ignores what it does not know, and says where it is', () => {
    const { entries, warnings } = parseIntegrations(
      JSON.stringify([{ ...least, hots: 'x', tls: { cA: '' }, advanced: { index: true }, $schema: 's' }]),
    );
    assert.equal(entries.length, 1);
    assert.deepEqual(
      warnings.map((warning) => warning.replace(/^integration\.json:1:\d+ /, '')),
      [
        '/0/hots is not known, and is ignored: did you mean host?',
        '/0/tls/cA is not known, and is ignored: did you mean ca?',
        '/0/advanced/index is not known, and is ignored',
      ],
    );
  });

  it('gets a suggestion for each mistyped member, whichever it is', () => {
    const hints = (members: object): readonly (string | undefined)[] =>
      parseIntegrations(JSON.stringify({ ...least, ...members })).warnings.map(
        (warning) => /did you mean (\S+)\?$/.exec(warning)?.[1],
      );
    assert.deepEqual(hints({ apikey: '', api_key: '', 'user-name': '' }), ['apiKey', 'apiKey', 'username']);
    assert.deepEqual(hints({ x: 1, colour: 2 }), [undefined, undefined]);
    for (const [pointer, known] of knownMembers) {
      for (const name of known) {
        if (name.length < 4) continue;
        const mistyped = { [name.slice(0, -1)]: 1 };
        const found = hints(pointer === '' ? mistyped : { [pointer.slice(1)]: mistyped });
        assert.deepEqual(found, known.has(name.slice(0, -1)) ? [] : [name], `${pointer}/${name}`);
      }
    }
  });

  it('points at what is not JSON without quoting it', () => {
    assert.match(
      problemsOf('{"password": "hunter2" "x": 1}'),
      /integration\.json:1:24 a comma or \} is expected/,
    );
    assert.match(problemsOf('{"password": hunter2}'), /:1:14 a value is expected here/);
    assert.match(problemsOf('{"host": "a",\n "host": "b"}'), /:2:2 this name is given twice/);
    assert.match(problemsOf(''), /:1:1 a value is expected/);
    assert.match(problemsOf('3'), /integration\.json:1:1 must be an object/);
  });

  it('never shows a secret, however an entry is printed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), fc.base64String({ minLength: 16 }), (password, secret) => {
        fc.pre(password.trim() !== '' && !'{"[secret]"}'.includes(password));
        const basic = one({ username: 'u', password });
        const key = one({ apiKey: `id:${secret}` });
        for (const shown of [
          inspect(basic, { depth: 9 }),
          JSON.stringify(basic),
          inspect(basic.authentication),
        ]) {
          assert.equal(shown.includes(password), false);
        }
        for (const shown of [inspect(key, { depth: 9 }), JSON.stringify(key)]) {
          assert.equal(shown.includes(secret), false);
          assert.equal(shown.includes(Buffer.from(`id:${secret}`).toString('base64')), false);
        }
      }),
    );
  });

  it('has its form in the JSON Schema of the project', () => {
    const kept = JSON.parse(readFileSync('schemas/integration.schema.json', 'utf8')) as unknown;
    assert.deepEqual(kept, JSON.parse(JSON.stringify(z.toJSONSchema(integrationFile, { io: 'input' }))));
  });

  it('is optional', async () => {
    assert.equal((await readIntegrations('no/such/integration.json')).form, 'none');
  });

  it('is named in the error if it exists and cannot be read', async () => {
    await assert.rejects(readIntegrations('test'), {
      code: 'CONFIG_INVALID',
      message: /test is a folder: AGENT_INTEGRATION_FILE names a file/,
    });
  });

  it('is refused, with a reason and a place, if an entry is not an object', () => {
    for (const [text, location] of [
      ['null', 'integration.json:1:1'],
      ['[null]', 'integration.json:1:2 /0'],
      ['7', 'integration.json:1:1'],
      ['[[]]', 'integration.json:1:2 /0'],
    ] as const) {
      assert.throws(
        () => parseIntegrations(text),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'CONFIG_INVALID', text);
          assert.ok(error.message.includes(`${location} must be an object`), error.message);
          return true;
        },
      );
    }
  });
});
