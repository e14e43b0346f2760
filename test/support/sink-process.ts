import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startSampleSink, type SinkSettings } from './sink-under-test.js';

/** A sink in a separate process, to be killed. */
export interface SinkProcess {
  readonly exited: Promise<void>;
  kill9(): Promise<void>;
  stop(): Promise<void>;
}

const self = fileURLToPath(import.meta.url);

export function spawnSink(settings: SinkSettings): SinkProcess {
  const child: ChildProcess = spawn(process.execPath, [self, JSON.stringify(settings)], { stdio: 'inherit' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    exited,
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

if (process.argv[1] === self) {
  const settings = JSON.parse(process.argv[2] ?? '') as SinkSettings;
  const sink = await startSampleSink(settings, (error) => {
    console.error(error);
    process.exit(70);
  });
  process.once('SIGTERM', () => void sink.stop().finally(() => process.exit(0)));
}
