import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TelltaleError } from '../../runtime/errors.js';
import { environmentOf, type ProcessWithSecrets } from './secrets-by-process.js';
import { lastLines } from '../../stack/running-process.js';

const run = promisify(execFile);

/** The compiled `telltale`, to be run by `node`. */
export const telltale = fileURLToPath(new URL('../telltale.js', import.meta.url));

/**
 * Runs a `telltale` command to its end, with the secrets that it needs, and returns its output. If it fails,
 * rejects with SETUP_FAILED and the end of the output.
 */
export async function runTelltale(
  command: ProcessWithSecrets,
  options: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const args = [...command.split(' '), ...options];
  const env = environmentOf(command, environment);
  try {
    return (await run(process.execPath, [telltale, ...args], { env, signal })).stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    const reason = lastLines(`${stdout}${stderr}`) || String(cause);
    throw new TelltaleError('SETUP_FAILED', { what: `telltale ${args.join(' ')}`, reason }, { cause });
  }
}
