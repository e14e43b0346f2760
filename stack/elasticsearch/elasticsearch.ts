import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '../ports.js';
import { processServer } from '../process-server.js';
import type { Launch } from '../running-process.js';
import type { Server, ServerOptions } from '../server.js';
import { pathOfJava, requireJava } from '../tools.js';
import { askNode, type Asking, type Said } from './ask.js';
import { nodeCommand, type NodeCommand } from './commands.js';
import { configureNode } from './configure-node.js';
import { distributions, fetchElasticsearch, type ElasticsearchVersion } from './distributions.js';
import type { NodeSettings, Security } from './node-config.js';
import { linkTree, runsAsRoot, unprivileged } from './unprivileged.js';

export interface ElasticsearchOptions extends ServerOptions {
  readonly version: ElasticsearchVersion;
  readonly transportPort: number;
  readonly clusterName?: string;
  readonly nodeName?: string;
  /** All nodes that form its cluster; by default this one alone. */
  readonly members?: NodeSettings['members'];
  /** A running node whose cluster this one joins, with the same password and certificates. */
  readonly joins?: ElasticsearchNode;
  /** The password of the user `elastic`; with it, security is on. 8 and 9 only. */
  readonly password?: string;
  /** With a password: HTTPS too, set up by the node itself as a new installation does. */
  readonly https?: boolean;
  readonly heap?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The size at which its slow logs are rotated and compressed, such as `8KB`; 1 GB by default. */
  readonly slowLogSize?: string;
}

export interface ElasticsearchNode extends Server {
  readonly version: ElasticsearchVersion;
  readonly nodeName: string;
  readonly port: number;
  readonly transportPort: number;
  readonly clusterName: string;
  /** Where the server writes its logs, slow logs included. */
  readonly logsFolder: string;
  readonly configFolder: string;
  /** The certificate of the CA that it made for itself; undefined if it speaks plain HTTP. */
  readonly authorityFile: string | undefined;
  /** Sends a request with all privileges; rejects if the node does not answer. */
  ask(method: string, path: string, asking?: Omit<Asking, 'method' | 'ca'>): Promise<Said>;
}

/**
 * One node of Elasticsearch, ready once it answers HTTP. If this process is root, its folder must be open to
 * `nobody`.
 */
export function elasticsearchNode(options: ElasticsearchOptions): ElasticsearchNode {
  const { version, port, transportPort, dataFolder, password } = options;
  const isHttps = options.https === true;
  const url = `${isHttps ? 'https' : 'http'}://127.0.0.1:${port}`;
  const settings = settingsOf(options);
  const config = join(dataFolder, 'config');
  const authorityFile = isHttps ? join(config, 'certs', 'http_ca.crt') : undefined;
  const ask = asking({ url, password, authorityFile });
  const server = nodeProcess(options, { url, settings, config, ask });
  return {
    name: server.name,
    url,
    version,
    nodeName: settings.nodeName,
    port,
    transportPort,
    clusterName: settings.clusterName,
    logsFolder: settings.logsFolder,
    configFolder: config,
    authorityFile,
    ask,
    get pid() {
      return server.pid;
    },
    start: () => server.start(),
    stop: async () => {
      await server.stop();
      await untilFree(port, transportPort);
    },
    kill9: async () => {
      await server.kill9();
      await untilFree(port, transportPort);
    },
  };
}

function settingsOf(options: ElasticsearchOptions): NodeSettings {
  const { version, port, transportPort, dataFolder, joins, nodeName = 'n1' } = options;
  return {
    version,
    clusterName: options.clusterName ?? joins?.clusterName ?? 'local',
    nodeName,
    httpPort: port,
    transportPort,
    dataFolder: join(dataFolder, 'data'),
    logsFolder: join(dataFolder, 'logs'),
    members: options.members ?? [joins ?? { nodeName, transportPort }].map(asMember),
    security: securityOf(options),
    extra: options.settings ?? {},
  };
}

interface Described extends Pick<ElasticsearchNode, 'url' | 'ask'> {
  readonly settings: NodeSettings;
  /** The folder of its configuration files. */
  readonly config: string;
}

function nodeProcess(options: ElasticsearchOptions, { url, settings, config, ask }: Described): Server {
  const { password, joins } = options;
  const prepare = async (): Promise<Pick<Launch, 'spawn' | 'isReady'>> => {
    const node = await installed(options);
    if (!existsSync(config))
      await configureNode(node, {
        config,
        settings,
        slowLogSize: options.slowLogSize,
        sharesSecretsOf: password === undefined ? undefined : joins?.configFolder,
        password: joins === undefined ? password : undefined,
      });
    const { args, environment } = nodeCommand(node);
    const [program, all] = unprivileged(node.java, args);
    return {
      spawn: (log) =>
        spawn(program, all, {
          cwd: node.home,
          env: environment,
          stdio: ['ignore', log, log],
          detached: true,
        }),
      isReady,
    };
  };
  const isReady = async (): Promise<boolean> => {
    const path = password === undefined ? '/' : '/_cluster/health';
    const said = await ask('GET', path, { timeoutMs: 2_000 }).catch(() => undefined);
    return said?.status === 200;
  };
  return processServer(
    {
      name: `elasticsearch-${settings.nodeName}`,
      title: `Elasticsearch ${settings.version}`,
      url,
      startMs: 300_000,
      stopMs: 10_000,
      wholeGroup: true,
      prepare,
    },
    options,
  );
}

const asMember = ({ nodeName, transportPort }: Pick<ElasticsearchNode, 'nodeName' | 'transportPort'>) => ({
  name: nodeName,
  transportPort,
});

function securityOf({ password, https, joins }: ElasticsearchOptions): Security {
  if (password === undefined) return 'off';
  if (https !== true) return 'plain';
  return joins === undefined ? 'installing' : 'installed';
}

/** The program and its Java; if this process is root, a copy that `nobody` may read. */
async function installed(options: ElasticsearchOptions): Promise<NodeCommand> {
  const { version, dataFolder: folder, heap = '256m' } = options;
  const cached = await fetchElasticsearch(version, options.progress);
  // The launchers of 8 and 9 need Java's home, which a link in the PATH does not reveal.
  const java = pathOfJava(await requireJava(`Elasticsearch ${version}`, distributions[version].java));
  const home = runsAsRoot() ? join(folder, 'home') : cached;
  if (!existsSync(home)) await linkTree(cached, home);
  return { version, home, folder, java, heap };
}

interface Asked {
  readonly url: string;
  readonly password: string | undefined;
  readonly authorityFile: string | undefined;
}

function asking({ url, password, authorityFile }: Asked): ElasticsearchNode['ask'] {
  const authorization = `Basic ${Buffer.from(`elastic:${password ?? ''}`).toString('base64')}`;
  return async (method, path, more = {}) =>
    askNode(`${url}${path}`, {
      ...more,
      method,
      headers: { ...(password === undefined ? {} : { authorization }), ...more.headers },
      ca: authorityFile === undefined ? undefined : await readFile(authorityFile, 'utf8'),
    });
}

/** The launcher can end before its server, so this waits for the ports too. */
async function untilFree(...ports: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await Promise.all(ports.map((port) => isPortFree(port)))).every(Boolean)) return;
    await sleep(50);
  }
}
