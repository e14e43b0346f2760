import assert from 'node:assert/strict';
import { configXml, usersXml } from '../../../stack/clickhouse/engine-config.js';

const accounts = {
  writer: { user: 'telltale', password: 'writer-password' },
  edge: { user: 'edge', password: 'edge-password' },
  analyst: { user: 'analyst', password: 'analyst-password' },
  engine: { user: 'engine', password: 'engine-password' },
};

const blockOf = (xml: string, user: string): string =>
  xml.split(`<${user}>`)[1]?.split(`</${user}>`)[0] ?? '';

describe("the embedded engine's users", () => {
  const xml = usersXml(accounts);

  it('have their passwords hashed, never in clear', () => {
    for (const { password } of Object.values(accounts)) assert.ok(!xml.includes(password));
    assert.match(blockOf(xml, 'analyst'), /<password_sha256_hex>[0-9a-f]{64}</);
  });

  it('are an analyst who can only read, and a writer who is limited to the database', () => {
    const granted = (user: string) =>
      [...blockOf(xml, user).matchAll(/GRANT ([^<]*)/g)].map(([, what]) => what);
    assert.deepEqual(granted('analyst'), ['SELECT, SHOW ON telltale.*', 'SELECT ON system.*']);
    assert.match(blockOf(xml, 'analyst'), /<profile>telltale_analyst</);
    assert.ok(granted('telltale').includes('ALL ON telltale.*'));
    assert.ok(!granted('telltale').some((what) => what?.includes('ALL ON *')));
  });

  it('connect from this machine only', () => {
    assert.ok([...xml.matchAll(/<ip>([^<]*)</g)].every(([, ip]) => ip === '127.0.0.1' || ip === '::1'));
  });
});

describe("the embedded engine's configuration", () => {
  it('takes any path', () => {
    assert.match(configXml('/a & b/<users>.xml', '/log'), /\/a &amp; b\/&lt;users>\.xml/);
  });
});
