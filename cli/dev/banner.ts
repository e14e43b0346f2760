import type { Variables } from './env-file.js';

export interface Addresses {
  readonly edge: string;
  readonly processors: string;
  readonly sinks: string;
  readonly clickhouse: string;
  readonly kafka: string;
  readonly registry: string;
}

/** What `npm start` prints once everything is ready: where things are, and one request that works as pasted. */
export function banner(addresses: Addresses, key: string, envFile: string, logs: string): string {
  const rows: readonly (readonly [string, string])[] = [
    ['HTTP edge', addresses.edge],
    ['its reference', `${addresses.edge}/reference`],
    ['processors', `${addresses.processors}/metrics`],
    ['sinks', `${addresses.sinks}/metrics`],
    ['ClickHouse', `${addresses.clickhouse}/play`],
    ['Kafka', addresses.kafka],
    ['schema registry', addresses.registry],
    ['logs', logs],
    ['variables', envFile],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    'Telltale is ready.',
    '',
    ...rows.map(([name, where]) => `  ${name.padEnd(width)}  ${where}`),
    '',
    'Score a prompt:',
    '',
    curl(addresses.edge, key),
    '',
    'Ctrl-C stops everything; the next start finds its data.',
    '',
  ].join('\n');
}

export function curl(edge: string, key: string): string {
  return `curl -sS ${edge}/api/v1/monitoring/metrics/text-metrics \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "How does a heat pump warm a house when it is freezing outside?"}'`;
}

/** The variables of dev.env. */
export function connectionVariables(
  addresses: Addresses,
  key: string,
  agentPort: number,
  analyst: { readonly user: string; readonly password: string },
): Variables {
  return {
    TELLTALE_URL: addresses.edge,
    TELLTALE_AGENT_URL: `http://127.0.0.1:${agentPort}`,
    TELLTALE_API_KEY: key,
    KAFKA_BROKERS: addresses.kafka,
    SCHEMA_REGISTRY_URL: addresses.registry,
    CLICKHOUSE_URL: addresses.clickhouse,
    CLICKHOUSE_USER: analyst.user,
    CLICKHOUSE_PASSWORD: analyst.password,
  };
}
