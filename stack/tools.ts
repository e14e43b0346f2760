import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TelltaleError } from '../runtime/errors.js';
import { guard } from './guard.js';

const run = promisify(execFile);
const leastJava = 17;

/** The `java` to run, at least version 17. */
export async function requireJava(what: string): Promise<string> {
  const home = process.env['JAVA_HOME'];
  const java =
    home !== undefined && existsSync(join(home, 'bin', 'java')) ? join(home, 'bin', 'java') : 'java';
  const found = await javaVersion(java);
  if (found >= leastJava) return java;
  throw new TelltaleError('TOOL_MISSING', {
    tool: `Java ${leastJava} or newer`,
    what,
    found: found === 0 ? 'none was found' : `Java ${found} was found`,
    cure: 'Install a JRE (for example `apt-get install openjdk-17-jre-headless`) or set JAVA_HOME',
  });
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

/** Runs Maven in batch mode; rejects with TOOL_MISSING or, with the end of what it said, DOWNLOAD_FAILED. */
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
