import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AskedCommand, EndedCommand } from './command-process.js';

/*
 * Loading a command costs several times the work that it does in a test. So these processes load it once, and
 * run one command after another; concurrent commands use separate processes. To kill a command, or to test it
 * from start to exit code, a test starts a process for it (test/support/roles.ts).
 */
const idle: ChildProcess[] = [];

const program = new URL('./command-process.js', import.meta.url);

/** Runs a CLI command and returns its output; throws with its output if the exit code is not 0. */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = idle.pop() ?? fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // An idle process keeps its parent from nothing: a benchmark ends with its last line.
  child.ref();
  child.channel?.ref();
  const { stdout, stderr, code } = await endOf(child, { args, environment });
  child.unref();
  child.channel?.unref();
  idle.push(child);
  if (code !== 0) throw new Error(`telltale ${args.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

async function endOf(child: ChildProcess, asked: AskedCommand): Promise<EndedCommand> {
  const over = new AbortController();
  const answer = once(child, 'message', over);
  const exit = once(child, 'exit', over);
  child.send(asked);
  const [said] = (await Promise.race([answer, exit])) as [EndedCommand | number | null];
  over.abort();
  if (said === null || typeof said === 'number')
    throw new Error(`telltale ${asked.args.join(' ')} ended its process with ${String(said)}`);
  return said;
}

/** To be called after the last test of a run. */
export function endCommandProcesses(): void {
  for (const child of idle.splice(0)) child.disconnect();
}
