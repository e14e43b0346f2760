/** For every process that reads or writes topics. */
const ofPipeline = [
  'KAFKA_SASL_PASSWORD',
  'KAFKA_OAUTH_CLIENT_SECRET',
  'SCHEMA_REGISTRY_PASSWORD',
  'SCHEMA_REGISTRY_TOKEN',
] as const;

/**
 * The secrets that each process of `npm start` needs. No process gets a secret that is listed only for
 * others. All processes get the rest of the environment.
 */
export const secretsByProcess = {
  'npm start': ['CLICKHOUSE_ANALYSTS'],
  'topics apply': ofPipeline,
  migrate: ['CLICKHOUSE_WRITER_PASSWORD'],
  'keys create': ofPipeline,
  'sign-in-link': ofPipeline,
  edge: [...ofPipeline, 'CLICKHOUSE_PASSWORD', 'EDGE_PEER_SECRET', 'METRICS_TOKEN', 'OIDC_CLIENT_SECRET'],
  // A replay of scoring can read stored texts.
  processors: [...ofPipeline, 'CLICKHOUSE_PASSWORD', 'LLM_API_KEY', 'EMBEDDING_API_KEY', 'METRICS_TOKEN'],
  sinks: [...ofPipeline, 'CLICKHOUSE_WRITER_PASSWORD', 'METRICS_TOKEN'],
  agent: ['AGENT_API_KEY', 'AGENT_TOKEN', 'METRICS_TOKEN'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ProcessWithSecrets = keyof typeof secretsByProcess;

export const allSecrets: ReadonlySet<string> = new Set(Object.values(secretsByProcess).flat());

/** For people: a shell that has read dev.env and secrets.env has these, but no process needs them. */
export const secretsOfPeople: readonly string[] = [
  'TELLTALE_API_KEY',
  'TELLTALE_AGENT_API_KEY',
  'CLICKHOUSE_EDGE_PASSWORD',
  'CLICKHOUSE_WORKSPACE_PASSWORD',
];

/** The environment without the secrets that this process does not need. */
export function environmentOf(process: ProcessWithSecrets, everything: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own: readonly string[] = secretsByProcess[process];
  const isSecret = (name: string): boolean => allSecrets.has(name) || secretsOfPeople.includes(name);
  return Object.fromEntries(
    Object.entries(everything).filter(([name]) => !isSecret(name) || own.includes(name)),
  );
}
