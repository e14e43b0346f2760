import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { livingOwner } from '../../../runtime/process/pid-file.js';
import { inTime } from '../../support/figures.js';
import { freePorts, startNpm, type Start } from '../../support/npm-start.js';
import { descendantsOf } from '../../support/process-tree.js';
import { atScale } from '../../support/scale.js';
import { until } from '../../support/until.js';

type Link = 'npm' | 'its shell' | 'node';

/** Signals to processes of `npm start`, sent while its servers start. */
const few: readonly (readonly [NodeJS.Signals, Link])[] = [
  ['SIGTERM', 'npm'],
  ['SIGKILL', 'npm'],
];
const rest: typeof few = [
  ['SIGKILL', 'node'], // dev.test.ts does this without npm
  ['SIGTERM', 'its shell'],
  ['SIGHUP', 'its shell'],
  ['SIGHUP', 'node'],
  ['SIGKILL', 'its shell'],
];

describe('npm start stops everything that it started, within 15 s,', function () {
  const home = resolve('.telltale-test', `end-${randomBytes(3).toString('hex')}`);
  let running: Start;

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(running.printed());
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const alive = (): string[] =>
    existsSync(join(home, 'logs'))
      ? readdirSync(join(home, 'logs')).filter(
          (file) => file.endsWith('.pid') && livingOwner(join(home, 'logs', file)) !== undefined,
        )
      : [];
  /** npm, its shell (unless the shell has replaced itself by node), and node, from parent to child. */
  const chain = (): Partial<Record<Link, number>> => {
    const [npm, ...below] = descendantsOf(running.process.pid ?? 0);
    const commandOf = (pid: number): string =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const shell = below.find((pid) => /^\S*sh -c .*bin\/start\.mjs/.test(commandOf(pid)));
    const node = below.find((pid) => /^\S*node \S*bin\/start\.mjs/.test(commandOf(pid)));
    return { ...(npm && { npm }), ...(shell && { 'its shell': shell }), ...(node && { node }) };
  };

  for (const [signal, link] of atScale(few, [...few, ...rest]))
    it(`on ${signal} to ${link}`, async function () {
      running = startNpm({ ...(await freePorts()), TELLTALE_HOME: home });
      await until('its servers start', () => alive().length >= 3);
      const pid = chain()[link];
      if (pid === undefined) this.skip();
      const node = chain().node ?? 0;
      await inTime(15_000, async () => {
        process.kill(pid, signal);
        await until('nothing of it runs', () => alive().length === 0 && !existsSync(`/proc/${node}`));
      });
      assert.deepEqual(alive(), []);
    });
});
