import { distributions, type ElasticsearchVersion } from './distributions.js';

export interface NodeSettings {
  readonly version: ElasticsearchVersion;
  readonly clusterName: string;
  readonly nodeName: string;
  readonly httpPort: number;
  readonly transportPort: number;
  readonly dataFolder: string;
  readonly logsFolder: string;
  /** Names and transport ports of all nodes; one alone forms its cluster without an election. */
  readonly members: readonly { readonly name: string; readonly transportPort: number }[];
  readonly security: boolean;
  /** Lines of elasticsearch.yml that a test adds. */
  readonly extra: Readonly<Record<string, string>>;
}

/** The text of elasticsearch.yml. */
export function nodeConfig(settings: NodeSettings): string {
  const lines = {
    'cluster.name': settings.clusterName,
    'node.name': settings.nodeName,
    'path.data': settings.dataFolder,
    'path.logs': settings.logsFolder,
    'network.host': '127.0.0.1',
    'http.port': settings.httpPort,
    'transport.port': settings.transportPort,
    ...formation(settings.members),
    ...security(settings),
    ...settings.extra,
  };
  return Object.entries(lines)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

function formation(members: NodeSettings['members']): Record<string, string> {
  if (members.length === 1) return { 'discovery.type': 'single-node' };
  const addresses = members.map(({ transportPort }) => `"127.0.0.1:${transportPort}"`);
  return {
    'discovery.seed_hosts': `[${addresses.join(', ')}]`,
    'cluster.initial_master_nodes': `[${members.map(({ name }) => name).join(', ')}]`,
  };
}

/** Builds without x-pack do not know its settings, and refuse to start with them. */
function security({ version, security: wanted }: NodeSettings): Record<string, string> {
  if (!distributions[version].hasSecurity) return {};
  const enabled = 'xpack.security.enabled';
  if (!wanted) return { [enabled]: 'false' };
  return {
    [enabled]: 'true',
    'xpack.security.http.ssl.enabled': 'false',
    'xpack.security.transport.ssl.enabled': 'false',
    'xpack.security.autoconfiguration.enabled': 'false',
  };
}
