import { DataType, load, open } from 'ffi-rs';

const onMac = process.platform === 'darwin';
const readWrite = 2;
const noControllingTerminal = onMac ? 0x20000 : 0o400;

/** Makes a new pseudo-terminal the standard input of this process, with libc; false if that fails. */
export function openTerminalAsStdin(): boolean {
  open({ library: 'libc', path: onMac ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' });
  const main = call('posix_openpt', [readWrite | noControllingTerminal]);
  if (main < 0 || call('grantpt', [main]) !== 0 || call('unlockpt', [main]) !== 0) return false;
  const terminal = call('open', [nameOf(main), readWrite | noControllingTerminal]);
  if (terminal < 0) return false;
  // The input of the engine's prompt, in case it gets past its start-up queries.
  call('write', [main, 'exit\n', 5]);
  return call('dup2', [terminal, 0]) === 0;
}

function call(funcName: string, args: readonly (number | string)[]): number {
  return load({
    library: 'libc',
    funcName,
    retType: DataType.I32,
    paramsType: args.map((arg) => (typeof arg === 'number' ? DataType.I32 : DataType.String)),
    paramsValue: [...args],
  });
}

function nameOf(main: number): string {
  return load({
    library: 'libc',
    funcName: 'ptsname',
    retType: DataType.String,
    paramsType: [DataType.I32],
    paramsValue: [main],
  });
}
