import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../runtime/errors.js';
import type { Progress } from '../../stack/server.js';
import { secretsOf, type Home } from './home.js';
import { nodeProcess } from './node-process.js';
import { environmentOf } from './secrets-by-process.js';
import type { Backbone } from './servers.js';
import type { DevSettings } from './settings.js';
import { telltale } from './setup-command.js';
import { supervise, type Supervised } from './supervisor.js';

/** A process of the pipeline. Roles are started in the order of `rolesOf`, and stopped in reverse. */
export interface Role {
  readonly name: 'sinks' | 'processors' | 'edge' | 'agent';
  readonly url: string;
  /** Their sum is at most 10 s: `npm start` ends within 15 s, and its servers together take 5 s of that. */
  readonly stopMs: number;
}

export function rolesOf(settings: DevSettings): readonly Role[] {
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  return [
    { name: 'sinks', url: local(settings.SINKS_PORT), stopMs: 2_500 },
    { name: 'processors', url: local(settings.PROCESSORS_PORT), stopMs: 3_000 },
    // Longer than its drain, so that a waiting call is answered, not cut off.
    { name: 'edge', url: local(settings.EDGE_PORT), stopMs: 2_500 },
  ];
}

/** Started once it has a key, and stopped first. */
export function agentRole(settings: DevSettings): Role {
  return { name: 'agent', url: `http://127.0.0.1:${settings.AGENT_PORT}`, stopMs: 1_500 };
}

/** The environment of the agent; keeps the user's configuration of the clusters to watch. */
export function agentEnvironment(
  settings: DevSettings,
  home: Home,
  inherited: NodeJS.ProcessEnv,
  key: string,
): NodeJS.ProcessEnv {
  return {
    AGENT_PORT: String(settings.AGENT_PORT),
    AGENT_SERVER_URL: `http://127.0.0.1:${settings.EDGE_PORT}`,
    AGENT_API_KEY: key,
    AGENT_FOLDER: home.data('agent'),
    AGENT_DRAIN_TIMEOUT_MS: '1000',
    AGENT_INTEGRATION_FILE: inherited['AGENT_INTEGRATION_FILE'] ?? join(home.folder, 'integration.json'),
  };
}

/** The environment of every process of the pipeline. */
export function pipelineEnvironment(
  settings: DevSettings,
  backbone: Backbone,
  home: Home,
  inherited: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...inherited,
    LOG_FORMAT: 'json',
    TELLTALE_STATE: home.data('edge'),
    KAFKA_BROKERS: backbone.brokers,
    ...backbone.registry,
    CLICKHOUSE_URL: backbone.clickhouseUrl,
    CLICKHOUSE_WRITER_USER: backbone.writer.user,
    CLICKHOUSE_WRITER_PASSWORD: backbone.writer.password,
    CLICKHOUSE_USER: backbone.edge.user,
    CLICKHOUSE_PASSWORD: backbone.edge.password,
    EDGE_PORT: String(settings.EDGE_PORT),
    EDGE_DRAIN_TIMEOUT_MS: '1500',
    PROCESSORS_PORT: String(settings.PROCESSORS_PORT),
    SINKS_PORT: String(settings.SINKS_PORT),
    METRICS_TOKEN: inherited['METRICS_TOKEN'] || secretsOf(home, settings).metrics,
  };
}

export function superviseRole(
  { name, stopMs }: Role,
  environment: NodeJS.ProcessEnv,
  { logs: logFolder }: Home,
  say: Progress,
): Supervised {
  const command = [telltale, name];
  const start = nodeProcess({
    name,
    stopMs,
    logFolder,
    command,
    environment: environmentOf(name, environment),
  });
  return supervise({ name, logFolder, say, start });
}

const sayAgainMs = 10_000;

/** Resolves once `/readyz` is 200; rejects with SETUP_FAILED if the process is in a crash loop. */
export async function untilReady(
  { name, url }: Role,
  supervised: Supervised,
  say: Progress,
  signal: AbortSignal,
): Promise<void> {
  const began = Date.now();
  let nextWord = began + sayAgainMs;
  for (;;) {
    const missing = await missingFor(url);
    if (missing === undefined) {
      say(`${name} ready (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      return;
    }
    if (supervised.crashLoop)
      throw new TelltaleError('SETUP_FAILED', {
        what: name,
        reason: `it keeps ending:\n${supervised.lastWords()}`,
      });
    if (Date.now() > nextWord) {
      say(`${name} not ready yet: ${missing}`);
      nextWord += sayAgainMs;
    }
    await sleep(100, undefined, { signal });
  }
}

/** What a process waits for, in words; undefined once it is ready. */
async function missingFor(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    return response.ok ? undefined : waitsFor(JSON.parse(text) as { waiting_for?: Record<string, string> });
  } catch {
    return 'it does not answer';
  }
}

const namedConditions = 3;

function waitsFor({ waiting_for: conditions = {} }: { waiting_for?: Record<string, string> }): string {
  const all = Object.entries(conditions).map(([name, reason]) => `${name} (${reason})`);
  const more = all.length > namedConditions ? `, and ${all.length - namedConditions} more` : '';
  return `waits for ${all.slice(0, namedConditions).join(', ')}${more}`;
}
