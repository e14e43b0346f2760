import { fork, type ChildProcess } from 'node:child_process';

/** A child process that answers each message with one. */
export interface Child {
  ask(message: object): Promise<unknown>;
  stop(): Promise<void>;
}

export function startChild(module: URL, execArgv: readonly string[] = []): Child {
  const child = fork(module, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [...execArgv] });
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null): void =>
          reject(new Error(`${module.pathname} ended with ${String(code)}`));
        child.once('exit', onExit);
        child.once('message', (answer) => {
          child.off('exit', onExit);
          resolve(answer);
        });
        child.send(message);
      }),
    stop: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
}
