import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { TelltaleError, reasonOf } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';
import { agentConfig, type AgentConfig } from '../config.js';
import { liveConfig, type LiveConfig } from '../live-config.js';
import { readSettings, type Environment, type SettingsReading } from './read-settings.js';
import { seenNow, textOf, watchForChanges } from './watched-file.js';

/** The agent's settings while it runs. */
export interface Settings {
  readonly config: LiveConfig;
  status(): object;
  stop(): void;
}

/** Reads variables and file. Rejects with CONFIG_INVALID, which names everything that is wrong. */
export async function loadSettings(environment: Environment): Promise<AgentConfig> {
  const reading = await readNow(environment);
  if (reading.kind === 'settings') return reading.config;
  throw new TelltaleError('CONFIG_INVALID', {
    problems: reading.problems.map((line) => `  ${line}`).join('\n'),
  });
}

/** The same, and again whenever the file changes. An invalid file changes nothing, and is logged. */
export async function openSettings(environment: Environment, logger: Logger): Promise<Settings> {
  const path = settingsPath(environment);
  const seen = seenNow(path);
  const config = liveConfig(await loadSettings(environment));
  let readAt = new Date().toISOString();
  let problems: readonly string[] = [];

  const readAgain = async (): Promise<void> => {
    const reading = await readNow(environment);
    problems = reading.kind === 'problems' ? reading.problems : [];
    if (reading.kind === 'problems') {
      logger.error(
        { event: 'settings-invalid', file: path, problems },
        'the changed settings are not valid; the previous ones stay in force',
      );
      return;
    }
    readAt = new Date().toISOString();
    const changed = changesBetween(config.current(), reading.config);
    if (changed.length === 0) return;
    const waiting = changed.filter((name) => needRestart.has(name));
    if (waiting.length > 0)
      logger.warn(
        { event: 'settings-need-restart', file: path, settings: waiting },
        'these settings need a restart of the agent',
      );
    config.set(reading.config);
    logger.info({ event: 'settings-changed', file: path, settings: changed }, 'settings changed');
  };

  const unwatch = watchForChanges(seen, () => {
    readAgain().catch((error: unknown) => {
      problems = [`${path}: ${reasonOf(error)}`];
      logger.error(
        { event: 'settings-unreadable', file: path, reason: reasonOf(error) },
        'the changed settings cannot be read',
      );
    });
  });
  return { config, status: () => ({ file: path, read_at: readAt, problems }), stop: unwatch };
}

const needRestart: ReadonlySet<string> = new Set<keyof AgentConfig>([
  'AGENT_HOST',
  'AGENT_PORT',
  'AGENT_TLS_CERTIFICATE_FILE',
  'AGENT_TLS_KEY_FILE',
  'AGENT_FOLDER',
  'AGENT_DRAIN_TIMEOUT_MS',
]);

function changesBetween(before: AgentConfig, after: AgentConfig): readonly string[] {
  return (Object.keys(after) as (keyof AgentConfig)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
}

function settingsPath(environment: Environment): string {
  return resolve(environment['AGENT_CONFIG_FILE'] || agentConfig.parse({}).AGENT_CONFIG_FILE);
}

async function readNow(environment: Environment): Promise<SettingsReading> {
  const path = settingsPath(environment);
  const text = await textOf(path).catch((error: unknown) => error as Error);
  if (text instanceof Error)
    return { kind: 'problems', problems: [`${path}: cannot be read (${text.message})`] };
  if (text === undefined && environment['AGENT_CONFIG_FILE'])
    return { kind: 'problems', problems: [`AGENT_CONFIG_FILE: there is no file ${path}`] };
  return readSettings(environment, { path, text });
}
