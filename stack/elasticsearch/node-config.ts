import { distributions, type ElasticsearchVersion } from './distributions.js';

/**
 * `plain` requires passwords on plain HTTP. `installing` configures nothing: a node that starts for the first
 * time then sets itself up with HTTPS and a CA of its own, as any new one does. `installed` is a node that
 * joins such a node and has its keys.
 */
export type Security = 'off' | 'plain' | 'installing' | 'installed';

export interface NodeSettings {
  readonly version: ElasticsearchVersion;
  readonly clusterName: string;
  readonly nodeName: string;
  readonly httpPort: number;
  readonly transportPort: number;
  readonly dataFolder: string;
  readonly logsFolder: string;
  /** Names and transport ports of the nodes that form the cluster, this one among them unless it joins later. */
  readonly members: readonly { readonly name: string; readonly transportPort: number }[];
  readonly security: Security;
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
    ...formation(settings),
    ...security(settings),
    ...settings.extra,
  };
  return Object.entries(lines)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

/** A node named as an initial master forms a cluster with the other initial masters; any other joins one. */
function formation({ nodeName, members }: NodeSettings): Record<string, string> {
  const isFounder = members.some(({ name }) => name === nodeName);
  const others = members.length === 1 && isFounder ? [] : members;
  const addresses = others.map(({ transportPort }) => `"127.0.0.1:${transportPort}"`);
  return {
    'discovery.seed_hosts': `[${addresses.join(', ')}]`,
    ...(isFounder
      ? { 'cluster.initial_master_nodes': `[${members.map(({ name }) => name).join(', ')}]` }
      : {}),
  };
}

const prefix = 'xpack.security';

/** Builds without x-pack do not know its settings, and refuse to start with them. */
function security({ version, security: wanted }: NodeSettings): Record<string, string> {
  if (!distributions[version].hasSecurity || wanted === 'installing') return {};
  if (wanted === 'off') return { [`${prefix}.enabled`]: 'false' };
  const isEncrypted = wanted === 'installed';
  const transport = `${prefix}.transport.ssl`;
  return {
    [`${prefix}.enabled`]: 'true',
    [`${prefix}.autoconfiguration.enabled`]: 'false',
    [`${prefix}.http.ssl.enabled`]: `${isEncrypted}`,
    [`${transport}.enabled`]: `${isEncrypted}`,
    ...(isEncrypted
      ? {
          [`${prefix}.http.ssl.keystore.path`]: 'certs/http.p12',
          [`${transport}.verification_mode`]: 'certificate',
          [`${transport}.keystore.path`]: 'certs/transport.p12',
          [`${transport}.truststore.path`]: 'certs/transport.p12',
        }
      : {}),
  };
}
