import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseIntegrations } from '../../../agent/integration/config/integrations.js';
import { pickFreePort } from '../../../stack/ports.js';
import { StubServer } from '../../support/stub-server.js';

interface PackAgent {
  importsOf(): { readonly modules: readonly string[]; readonly packages: readonly string[] };
  packInto(folder: string): string;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages allowed on a user's host. Every further one makes the agent bigger: think twice. */
const allowed = ['@elastic/elasticsearch', 'commander', 'node-cron', 'pino', 'piscina', 'prom-client', 'zod'];

/** Installs packages and their dependencies as `npm install` would, but offline, from our node_modules. */
function installInto(folder: string, names: readonly string[]): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const done = new Set<string>();
  const install = (name: string): void => {
    if (done.has(name)) return;
    done.add(name);
    const source = join('node_modules', name);
    if (!existsSync(source)) return; // an optional dependency
    cpSync(source, join(folder, name), {
      recursive: true,
      filter: (path) => !/\.(?:map|d\.[cm]?ts|md)$/.test(path),
    });
    Object.keys(packages[source]?.dependencies ?? {}).forEach(install);
  };
  names.forEach(install);
}

describe('the agent’s package', function () {
  let folder = '';
  let pack: PackAgent;
  let home = '';
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'telltale-package-'));
    pack = (await import(pathToFileURL('bin/pack-agent.mjs').href)) as PackAgent;
    const tarball = pack.packInto(folder);
    home = join(folder, 'host');
    const installed = join(home, 'node_modules', 'telltale-agent');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    installInto(join(home, 'node_modules'), pack.importsOf().packages);
    mkdirSync(join(home, 'node_modules', '.bin'));
    symlinkSync(
      '../telltale-agent/bin/telltale-agent.mjs',
      join(home, 'node_modules', '.bin', 'telltale-agent'),
    );
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has none of the server’s dependencies', () => {
    const { modules, packages } = pack.importsOf();
    assert.deepEqual(
      packages.filter((name) => !allowed.includes(name)),
      [],
    );
    const folders = new Set(modules.map((path) => path.split('/')[0]));
    assert.deepEqual(
      [...folders].filter((name) => !['agent', 'cli', 'runtime', 'schemas'].includes(name ?? '')),
      [],
    );
    assert.deepEqual(
      modules.filter((path) => path.startsWith('runtime/kafka') || path.startsWith('runtime/clickhouse')),
      [],
    );
  });

  it('has a README of its own, whose commands and files are those of the package', () => {
    const installed = join(home, 'node_modules', 'telltale-agent');
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.ok(readme.includes(`npx ./telltale-agent-${version}.tgz`));
    assert.doesNotMatch(readme, /\]\((?!https:)/, 'a link to a file that a host does not have');
    for (const file of ['integration.schema.json', 'telltale-agent.service']) {
      assert.ok(readme.includes(file) && existsSync(join(installed, file)), file);
    }
    const [example = ''] = /\{\n {2}"\$schema"[^`]+/.exec(readme) ?? [];
    assert.equal(parseIntegrations(example.replace('<API_KEY>', 'id:key')).warnings.length, 0);
  });

  it('prints nothing that points to a file of the repository', () => {
    const installed = join(home, 'node_modules', 'telltale-agent');
    const scripts = pack.importsOf().modules.filter((path) => path.endsWith('.js'));
    const pointing = scripts.filter((path) => {
      const code = readFileSync(join(installed, path), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
      return /docs\/\w+\.md/.test(code);
    });
    assert.deepEqual(pointing, []);
  });

  it('has the licence and the notices', () => {
    for (const name of ['LICENSE', 'NOTICE'])
      assert.equal(
        readFileSync(join(home, 'node_modules', 'telltale-agent', name), 'utf8'),
        readFileSync(name, 'utf8'),
      );
  });

  it('says what it would do', () => {
    const bin = resolve(home, 'node_modules/.bin/telltale-agent');
    writeFileSync(join(home, 'agent.json'), '{"port": 22777}');
    let printed = '';
    try {
      execFileSync(process.execPath, [bin, 'check'], { cwd: home, env: {}, encoding: 'utf8' });
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string };
      assert.equal(status, 2); // no API key is set
      printed = stdout;
    }
    assert.match(printed, /listens on 127\.0\.0\.1:22777/);
    assert.match(printed, /there is no API key/);
  });

  describe('installed with its dependencies', () => {
    const server = new StubServer();
    let agent: ChildProcess;
    let exited: Promise<number | null>;
    let url = '';
    before(async () => {
      await server.start();
      const port = await pickFreePort();
      url = `http://127.0.0.1:${port}`;
      agent = spawn(process.execPath, [resolve(home, 'node_modules/.bin/telltale-agent')], {
        cwd: home,
        env: { AGENT_PORT: String(port), AGENT_SERVER_URL: server.url, AGENT_API_KEY: 'tt_a_b' },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      exited = new Promise((done) => agent.once('exit', done));
      const ready = (): Promise<boolean> =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await ready())) {
        assert.equal(agent.exitCode, null);
        await sleep(20);
      }
    });
    after(async () => {
      agent.kill('SIGTERM');
      await exited;
      await server.stop();
    });

    it('uses under 80 MB while idle', function () {
      if (process.platform !== 'linux') this.skip();
      const status = readFileSync(`/proc/${agent.pid ?? 0}/status`, 'utf8');
      const megabytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
      assert.ok(megabytes < 80, `${megabytes.toFixed(1)} MB: is something loaded that is not needed yet?`);
    });

    it('takes events and traces, and brings them to the server', async () => {
      const post = (path: string, body: object): Promise<Response> =>
        fetch(`${url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      assert.equal((await post('/events', { metric: 'a', type: 'increment' })).status, 200);
      const span = {
        traceId: '5b8efff798038103d269b633813fc60c',
        spanId: 'eee19b7ec3c1b174',
        name: 'a span',
        startTimeUnixNano: '1544712660000000000',
        endTimeUnixNano: '1544712661000000000',
      };
      const traces = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
      assert.equal((await post('/apm/shop/v1/traces', traces)).status, 200);
      while (server.stored('events').length === 0 || server.stored('spans').length === 0) await sleep(20);
      assert.equal((server.stored('events')[0] as { metric: string }).metric, 'a');
    });

    it('ends cleanly when it is told to', async () => {
      agent.kill('SIGTERM');
      assert.equal(await exited, 0);
    });
  });
});
