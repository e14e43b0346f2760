import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LoggingOptions {
  readonly level: string;
  readonly format: 'auto' | 'json' | 'pretty';
  /** The process's role, included in every line. */
  readonly role: string;
}

/** Fields whose values are never logged, whichever object contains them. */
const secrets = ['authorization', 'apiKey', 'api_key', 'password', 'secret', 'token', 'cookie'];

export function createLogger({ level, format, role }: LoggingOptions): Logger {
  const wanted = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const pretty = wanted && isInstalled('pino-pretty');
  return pino({
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    ...(pretty ? { transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss.l' } } } : {}),
  });
}

/** The agent's package omits modules that only format logs. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Logs to standard error what a command waits for; standard output is for its result. */
export function commandLogger(command: string): Logger {
  return pino(
    { level: 'warn', base: { command }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** For tests and tools that have nothing to log. */
export const silentLogger: Logger = pino({ level: 'silent' });
