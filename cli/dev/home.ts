import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TelltaleError } from '../../runtime/errors.js';
import { tryLock } from '../../runtime/process/lock-file.js';
import { livingOwner } from '../../runtime/process/pid-file.js';
import { readEnvFile, writeEnvFile } from './env-file.js';
import type { DevSettings } from './settings.js';

/** The folder of `npm start`: data, logs, and connection settings. Only one process at a time can use it. */
export interface Home {
  readonly folder: string;
  readonly logs: string;
  /** The data folder of a server or a role. */
  data(name: string): string;
  /** For people and programs that connect: `source .telltale/dev.env`. */
  readonly envFile: string;
  release(): void;
}

/** Locks the folder; throws ALREADY_RUNNING if another process holds it. */
export function openHome(path: string): Home {
  const folder = resolve(path);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700); // also one that was made under another umask
  const lock = join(folder, 'dev.lock');
  const release = tryLock(lock);
  if (release === undefined)
    throw new TelltaleError('ALREADY_RUNNING', { folder, pid: livingOwner(lock) ?? 'unknown' });
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  return {
    folder,
    logs,
    data: (name) => join(folder, 'data', name),
    envFile: join(folder, 'dev.env'),
    release,
  };
}

/** Deletes all data, keys and passwords of earlier runs, whose leftover processes must have been ended. */
export function beginAnew({ folder }: Home): void {
  for (const name of ['data', 'dev.env', 'secrets.env', 'logs'])
    rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true });
}

export interface Secrets {
  readonly writer: string;
  readonly edge: string;
  readonly analyst: string;
  /** The password of the analyst who sees only the development workspace. */
  readonly workspaceAnalyst: string;
  readonly registry: string;
  /** The token for the metrics of any process. */
  readonly metrics: string;
}

/**
 * Passwords of our own servers, generated once. They have a separate file, because others read dev.env. An
 * external ClickHouse has its own passwords.
 */
export function secretsOf(
  { folder }: Home,
  { CLICKHOUSE_URL: given }: Pick<DevSettings, 'CLICKHOUSE_URL'>,
): Secrets {
  const path = join(folder, 'secrets.env');
  const known = readEnvFile(path);
  const secrets = {
    writer: known['CLICKHOUSE_WRITER_PASSWORD'] ?? newPassword(),
    edge: known['CLICKHOUSE_EDGE_PASSWORD'] ?? newPassword(),
    analyst: known['CLICKHOUSE_PASSWORD'] ?? newPassword(),
    workspaceAnalyst: known['CLICKHOUSE_WORKSPACE_PASSWORD'] ?? newPassword(),
    registry: known['SCHEMA_REGISTRY_PASSWORD'] ?? newPassword(),
    metrics: known['METRICS_TOKEN'] ?? newPassword(),
  };
  const variables = {
    ...(given === undefined && {
      CLICKHOUSE_WRITER_PASSWORD: secrets.writer,
      CLICKHOUSE_EDGE_PASSWORD: secrets.edge,
      CLICKHOUSE_PASSWORD: secrets.analyst,
      CLICKHOUSE_WORKSPACE_PASSWORD: secrets.workspaceAnalyst,
    }),
    SCHEMA_REGISTRY_PASSWORD: secrets.registry,
    METRICS_TOKEN: secrets.metrics,
  };
  writeEnvFile(path, variables, 'Passwords of the local servers, for Telltale only.');
  return secrets;
}

const newPassword = (): string => randomBytes(18).toString('base64url');
