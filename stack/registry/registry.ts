import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../cache.js';
import { classArchive } from '../class-archive.js';
import { requireDigest } from '../digest.js';
import { pickFreePort } from '../ports.js';
import { processServer, type LocalServer } from '../process-server.js';
import { launch, type Launch } from '../running-process.js';
import type { Account, Progress, ServerOptions } from '../server.js';
import { requireJava, runMaven } from '../tools.js';

const run = promisify(execFile);
const version = '3.0.9';
const title = `Apicurio Registry ${version}`;
const digest = '0982c4eaa222355c86bd4dfc83495d4929ae319ebe00ef5677f131a2e205065d';

export interface RegistryOptions extends ServerOptions {
  /** The only user with access. */
  readonly account: Account;
}

/** A schema registry that speaks Confluent's protocol; `url` is the base of that API. State: an H2 file. */
export function registryServer(options: RegistryOptions): LocalServer {
  return processServer(
    {
      name: 'registry',
      title,
      url: urlOf(options),
      ...limits,
      prepare: async () => launchOf(await registryProgram(options.progress), options),
    },
    options,
  );
}

const limits = { startMs: 240_000, stopMs: 5_000 };
const urlOf = ({ port }: Pick<ServerOptions, 'port'>): string => `http://127.0.0.1:${port}/apis/ccompat/v7`;

interface RegistryProgram {
  readonly java: string;
  readonly folder: string;
  /** Flags that make its classes load sooner. */
  readonly classes: readonly string[];
}

async function registryProgram(progress?: Progress): Promise<RegistryProgram> {
  const java = await requireJava(title);
  const folder = await fetchRegistry(progress);
  const runOnce = async (classes: readonly string[], dataFolder: string): Promise<void> => {
    const account = { user: 'telltale', password: randomUUID() };
    const options = { port: await pickFreePort(), dataFolder, account };
    const registry = await launch({
      ...limits,
      stopMs: 60_000, // it writes its archive when it stops
      name: 'registry',
      title,
      logFolder: dataFolder,
      ...launchOf({ java, folder, classes }, options),
    });
    await registry.stop();
  };
  return {
    java,
    folder,
    classes: await classArchive({ name: `apicurio-registry-${version}`, java, runOnce }),
  };
}

function launchOf(
  { java, folder, classes }: RegistryProgram,
  options: Pick<RegistryOptions, 'port' | 'dataFolder' | 'account'>,
): Pick<Launch, 'spawn' | 'isReady'> {
  const accountFile = join(options.dataFolder, 'account.properties');
  writeFileSync(accountFile, accountProperties(options.account), { mode: 0o600 });
  const jar = join(folder, `apicurio-registry-app-${version}-runner.jar`);
  return {
    spawn: (log) =>
      spawn(java, [...flags(options, accountFile), ...classes, '-jar', jar], {
        stdio: ['ignore', log, log],
        detached: true, // Ctrl-C in a terminal is ours to handle: the stages end first
      }),
    isReady: () => answers(`${urlOf(options)}/subjects`, options.account),
  };
}

function flags(
  { port, dataFolder }: Pick<ServerOptions, 'port' | 'dataFolder'>,
  accountFile: string,
): string[] {
  const properties = {
    'apicurio.storage.kind': 'sql',
    'apicurio.storage.sql.kind': 'h2',
    // By default H2 acknowledges writes that a kill -9 within half a second would lose.
    'apicurio.datasource.url': `jdbc:h2:file:${join(dataFolder, 'registry')};WRITE_DELAY=0`,
    'apicurio.datasource.username': 'sa',
    'apicurio.datasource.password': 'sa',
    'quarkus.http.host': '127.0.0.1',
    'quarkus.http.port': port,
    'quarkus.management.host': '127.0.0.1',
    'quarkus.management.port': 0, // can't be switched off; any free port will do
    'quarkus.config.locations': accountFile,
    'quarkus.http.auth.permission.all.paths': '/*',
    'quarkus.http.auth.permission.all.policy': 'authenticated',
    'quarkus.http.auth.permission.all.auth-mechanism': 'basic',
    'quarkus.log.level': 'WARN',
    'quarkus.banner.enabled': false,
  };
  const defined = Object.entries(properties).map(([key, value]) => `-D${key}=${String(value)}`);
  return ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...defined];
}

/** In a separate file, because everybody can read the command line of a process. */
function accountProperties({ user, password }: Account): string {
  return [
    'quarkus.security.users.embedded.plain-text=true',
    `quarkus.security.users.embedded.users.${user}=${password}`,
    '',
  ].join('\n');
}

async function answers(url: string, { user, password }: Account): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  try {
    return (await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

/**
 * The registry's tarball, fetched with Maven, checked and unpacked into the cache. The plugin is deliberately
 * old: newer ones require the artifact's parent POM, which says nothing about a tarball and which mirrors
 * might lack.
 */
function fetchRegistry(progress?: Progress): Promise<string> {
  return fetchOnce(`apicurio-registry-${version}`, async (folder) => {
    progress?.(`${title}: fetching it with Maven (104 MB, once)`);
    await runMaven(title, [
      'org.apache.maven.plugins:maven-dependency-plugin:2.10:copy',
      `-Dartifact=io.apicurio:apicurio-registry-app:${version}:tar.gz:all`,
      `-DoutputDirectory=${folder}`,
    ]);
    await requireDigest(title, folder, digest);
    const tarball = join(folder, `apicurio-registry-app-${version}-all.tar.gz`);
    await run('tar', ['-xzf', tarball, '-C', folder]);
    await rm(tarball);
  });
}
