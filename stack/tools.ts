import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { TelltaleError } from '../runtime/errors.js';
import { guard } from './guard.js';

const run = promisify(execFile);
/** The major versions of Java on which a server runs: at least `least`, and below `before`. */
export interface JavaRange {
  readonly least: number;
  readonly before?: number;
}

/** The first `java` in the range: that of JAVA_HOME, of the PATH, or another that the system has. */
export async function requireJava(what: string, range: JavaRange = { least: 17 }): Promise<string> {
  const { fits, seen } = await findJava(range);
  if (fits !== undefined) return fits;
  throw new TelltaleError('TOOL_MISSING', {
    tool: `Java ${range.least} or newer${range.before === undefined ? '' : `, below ${range.before},`}`,
    what,
    found: seen.length === 0 ? 'none was found' : `Java ${seen.join(', ')} was found`,
    cure: `Install a JRE (for example \`apt-get install openjdk-${range.least}-jre-headless\`) or set JAVA_HOME`,
  });
}

/** The first `java` in the range, and the major versions of the others. */
export async function findJava(range: JavaRange): Promise<{ fits: string | undefined; seen: number[] }> {
  const seen: number[] = [];
  for (const java of installedJavas()) {
    const version = await javaVersion(java);
    if (version >= range.least && version < (range.before ?? Infinity)) return { fits: java, seen };
    if (version > 0) seen.push(version);
  }
  return { fits: undefined, seen };
}

/** Where Debian, Fedora and similar systems install several Javas side by side. */
const systemJavas = '/usr/lib/jvm';

function installedJavas(): string[] {
  const inside = (home: string): string => join(home, 'bin', 'java');
  const home = process.env['JAVA_HOME'];
  const chosen = home === undefined || !existsSync(inside(home)) ? [] : [inside(home)];
  const beside = existsSync(systemJavas)
    ? readdirSync(systemJavas).map((name) => join(systemJavas, name))
    : [];
  return [...chosen, 'java', ...beside.map(inside).filter((java) => existsSync(java))];
}

/** The file that a `java` of the PATH, or a link to one, stands for. */
export function pathOfJava(java: string): string {
  if (java.includes('/')) return realpathSync(java);
  const found = (process.env['PATH'] ?? '').split(delimiter).find((folder) => existsSync(join(folder, java)));
  return realpathSync(join(found ?? '/usr/bin', java));
}

async function javaVersion(java: string): Promise<number> {
  try {
    const { stderr } = await run(java, ['-version']);
    return majorVersion(stderr);
  } catch {
    return 0;
  }
}

/** `openjdk version "17.0.15"` is 17, and `"1.8.0_402"` is 8. */
export function majorVersion(text: string): number {
  const match = /version "(?:1\.)?(\d+)/.exec(text);
  return match === null ? 0 : Number(match[1]);
}

/** Runs Maven in batch mode; rejects with TOOL_MISSING or, with the end of its output, DOWNLOAD_FAILED. */
export function runMaven(what: string, args: readonly string[], folder?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const maven = spawn('mvn', ['--batch-mode', '--strict-checksums', '--no-transfer-progress', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(folder === undefined ? {} : { cwd: folder }),
    });
    guard(maven);
    let said = '';
    const keep = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-4000);
    };
    maven.stdout.on('data', keep);
    maven.stderr.on('data', keep);
    maven.once('error', (cause) => reject(mavenMissing(what, cause)));
    maven.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new TelltaleError('DOWNLOAD_FAILED', { what, reason: errorLines(said) }));
    });
  });
}

function mavenMissing(what: string, cause: Error): TelltaleError {
  return new TelltaleError(
    'TOOL_MISSING',
    {
      tool: 'Maven (`mvn`)',
      what: `the first download of ${what}`,
      found: 'it was not found',
      cure: 'Install it (for example `apt-get install maven`)',
    },
    { cause },
  );
}

function errorLines(said: string): string {
  const errors = said.split('\n').filter((line) => line.startsWith('[ERROR]'));
  return (errors.length > 0 ? errors : said.split('\n')).slice(0, 6).join('\n');
}
