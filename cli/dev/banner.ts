import { quote, type Variables } from './env-file.js';
import type { Home } from './home.js';
import { ownServersVariable, type Backbone } from './servers.js';

export interface Addresses {
  readonly edge: string;
  readonly agent: string;
  readonly processors: string;
  readonly sinks: string;
  readonly clickhouse: string;
  readonly kafka: string;
  readonly registry: string;
}

/**
 * The output of `npm start` once everything is ready: addresses, and requests to paste into a shell. A new
 * API key is printed; for an existing key, only the file that contains it.
 */
export function banner(
  addresses: Addresses,
  { envFile, logs }: Pick<Home, 'envFile' | 'logs'>,
  newKey: string | undefined,
  signInLink: string,
): string {
  const rows: readonly (readonly [string, string])[] = [
    ['HTTP edge', addresses.edge],
    ['its reference', `${addresses.edge}/reference`],
    ['agent', `${addresses.agent}/status`],
    ['processors', `${addresses.processors}/readyz`],
    ['sinks', `${addresses.sinks}/readyz`],
    ['ClickHouse', `${addresses.clickhouse}/play`],
    ['Kafka', addresses.kafka],
    ['schema registry', addresses.registry],
    ['logs', logs],
    ['keys, passwords', envFile],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    'Telltale is ready. Open the dashboard with this link, which works once, within ten minutes:',
    '',
    `  ${signInLink}`,
    '',
    ...rows.map(([name, where]) => `  ${name.padEnd(width)}  ${where}`),
    ...(newKey === undefined
      ? []
      : ['', `The API key, shown only this once and kept in that file: ${newKey}`]),
    '',
    'Score a prompt:',
    '',
    curl(addresses.edge, envFile),
    '',
    'Report an event through the agent, which keeps it until the edge has it:',
    '',
    eventCurl(addresses.agent),
    '',
    'Ctrl-C stops everything; the next start finds its data.',
    '',
  ].join('\n');
}

/** Reads the key from dev.env in a subshell, so that the caller's shell gets none of its variables. */
export function curl(edge: string, envFile: string): string {
  return `(. ${quote(envFile)} && curl -sS ${edge}/api/v1/monitoring/metrics/text-metrics \\
  -H "Authorization: Bearer $TELLTALE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "How does a heat pump warm a house when it is freezing outside?"}')`;
}

function eventCurl(agent: string): string {
  return `curl -sS ${agent}/events \\
  -H 'Content-Type: application/json' \\
  -d '{"metric": "checkout.basket_value", "type": "distribution", "value": 41.5}'`;
}

/** The variables of dev.env. */
export function connectionVariables(
  addresses: Addresses,
  keys: { readonly client: string; readonly agent: string; readonly metricsToken: string },
  {
    analyst,
    workspaceAnalyst,
    registry,
    ours,
  }: Pick<Backbone, 'analyst' | 'workspaceAnalyst' | 'registry' | 'ours'>,
): Variables {
  return {
    TELLTALE_URL: addresses.edge,
    TELLTALE_AGENT_URL: addresses.agent,
    TELLTALE_API_KEY: keys.client,
    TELLTALE_AGENT_API_KEY: keys.agent,
    METRICS_TOKEN: keys.metricsToken,
    KAFKA_BROKERS: addresses.kafka,
    ...registry,
    CLICKHOUSE_URL: addresses.clickhouse,
    CLICKHOUSE_USER: analyst.user,
    CLICKHOUSE_PASSWORD: analyst.password,
    ...(workspaceAnalyst !== undefined && {
      CLICKHOUSE_WORKSPACE_USER: workspaceAnalyst.user,
      CLICKHOUSE_WORKSPACE_PASSWORD: workspaceAnalyst.password,
    }),
    [ownServersVariable]: ours.map(({ url }) => url).join(' '),
  };
}
