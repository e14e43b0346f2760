import assert from 'node:assert/strict';
import { allRules } from '../../../../../agent/slowlogs/scrub/rules/all.js';
import { viewOf } from '../../../../../agent/slowlogs/scrub/view.js';

/** What expressions with more than one way through a text stumble over. */
const units = [
  'a', '"', '\\', '\\"', '{"', '{"a":', 'password:', 'token={', 'token:"', '"password":', '"token":{', '[', 'ey', 'eyJhbGci.',
  '-', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'sk-', 'hvs.', 'xoxb-', 'xoxe.', '://a:', 'a://b:c@', '@', ' -u a:',
  'AP6', '1.2.3.', 'BUNDLE_A__', 'mysql -p', '"name":"password",', '"value":"x",', '"fields":["a","b",', '<password>',
  'Bearer abcdefg1 ', 'AKIA', 'OpenDSObject(', 'A3-', 'abc_', '%41', '\\u0041', '\n', 'key id = ', '00', '1234567890|', 'M',
  'github=', 'github:', 'key={', 'key:key:', 'key=[', 'aws=a.', 'auth:,', 'login a password ', '$1$a$', 'Bearer abcdefg1 ', 'digest a="b",', 'digest a="', 'mysql ',
  '/', '1//0', 'A/', 'api.softlayer.com/a/', 'glpat-.', '.AQE', 'AAAAAAAAAAAAAAAAAAAAA%', '"name":"a","value":"b",', '"name":"password",', '"name":"password","a":1,', '"key":["a","b"],',
  '"value":"x","name":"password",', '"key":["a"],"value":"', '\\"name\\":\\"password\\",\\"value\\":\\"x\\",', "password '",
  'eyJ.eyJ', 'a.eyJ', 'eyJhbGci', '"\\a', 'password is ', 'redis-cli ', ' -a ', 'docker login ', ':APA91b', '"d":"kty', '*0', 'pbkdf2_sha256$', 'v4.local.',
]; // prettier-ignore

const endings = [
  'Password',
  'Token',
  '_secret',
  '.api_key',
  'PrivateKey',
  '-pwd',
  '_accessKey2',
  'Key',
  '_id',
];

/** Processor time, in ms: what other processes do on the machine is not in it. The least of three says most. */
function timeOf(text: string): number {
  const times = [0, 1, 2].map(() => {
    const before = process.cpuUsage().user;
    const view = viewOf(text);
    for (const rule of allRules) rule.find(view);
    return (process.cpuUsage().user - before) / 1_000;
  });
  return Math.min(...times);
}

describe('every rule takes linear time', () => {
  /** Names that all differ, as no memory of names helps with: each in JSON and in text. */
  it('on names of credentials that never come again', function () {
    this.timeout(60_000);
    const named = (index: number): string => `user${index.toString(36)}${endings[index % endings.length]}`;
    for (const assigned of [(name: string) => `${name}=v1 `, (name: string) => `"${name}":"v1",`]) {
      const text = `{${Array.from({ length: 40_000 }, (_, index) => assigned(named(index))).join('')}`;
      const growth = timeOf(text.slice(0, 512_000)) / Math.max(timeOf(text.slice(0, 64_000)), 4);
      assert.ok(growth < 32, `${growth.toFixed(1)} times as long`);
    }
  });

  it('on texts that make careless expressions take the square of it', function () {
    this.timeout(60_000);
    const [short, long] = [8_000, 64_000];
    for (const unit of units) {
      const text = unit.repeat(long);
      const growth = timeOf(text.slice(0, long)) / Math.max(timeOf(text.slice(0, short)), 4);
      // Eight times the text: a linear rule takes some eight times as long, one that squares takes sixty-four.
      assert.ok(growth < 32, `${JSON.stringify(unit)}: ${growth.toFixed(1)} times as long`);
    }
  });
});
