import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../runtime/errors.js';
import { isPortFree } from '../ports.js';
import { processServer } from '../process-server.js';
import type { Server, ServerOptions } from '../server.js';
import { requireJava } from '../tools.js';
import { askNode, type Asking, type Said } from './ask.js';
import { keystoreCommand, nodeCommand, type Command, type NodeCommand } from './commands.js';
import { distributions, fetchElasticsearch, type ElasticsearchVersion } from './distributions.js';
import { nodeConfig, type NodeSettings, type Security } from './node-config.js';
import { handOver, linkTree, runsAsRoot, unprivileged } from './unprivileged.js';

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
  /** At which size its slow logs are rotated and compressed, such as `8KB`; 1 GB by default. */
  readonly slowLogSize?: string;
}

export interface ElasticsearchNode extends Server {
  readonly version: ElasticsearchVersion;
  readonly nodeName: string;
  readonly port: number;
  readonly transportPort: number;
  readonly clusterName: string;
  /** Where the server writes its log, slow logs too. */
  readonly logsFolder: string;
  readonly configFolder: string;
  /** The certificate of the CA that it made for itself; undefined where it speaks plain HTTP. */
  readonly authorityFile: string | undefined;
  /** Asks with every right; rejects where the node does not answer. */
  ask(method: string, path: string, asking?: Omit<Asking, 'method' | 'ca'>): Promise<Said>;
}

async function rotateSlowLogsAt(size: string, config: string): Promise<void> {
  const path = join(config, 'log4j2.properties');
  const text = await readFile(path, 'utf8');
  await writeFile(
    path,
    text.replace(/^(appender\.\w*slowlog\w*\.policies\.size\.size = ).*$/gm, `$1${size}`),
  );
}

/** One node of Elasticsearch, ready once it answers HTTP. Where we are root, its folder must be open to `nobody`. */
export function elasticsearchNode(options: ElasticsearchOptions): ElasticsearchNode {
  const { version, port, transportPort, dataFolder: folder } = options;
  const { joins, clusterName = joins?.clusterName ?? 'local', nodeName = 'n1', password } = options;
  const isHttps = options.https === true;
  const url = `${isHttps ? 'https' : 'http'}://127.0.0.1:${port}`;
  const title = `Elasticsearch ${version}`;
  const logsFolder = join(folder, 'logs');
  const config = join(folder, 'config');
  const authorityFile = isHttps ? join(config, 'certs', 'http_ca.crt') : undefined;
  let command: NodeCommand | undefined;

  const prepare = async (): Promise<void> => {
    const cached = await fetchElasticsearch(version, options.progress);
    const java = await realpathOf(await requireJava(title, distributions[version].java));
    const home = runsAsRoot() ? join(folder, 'home') : cached;
    if (!existsSync(home)) await linkTree(cached, home);
    const node = { version, home, folder, java, heap: options.heap ?? '256m' };
    if (!existsSync(config)) await configure(node);
    command = node;
  };

  const configure = async (node: NodeCommand): Promise<void> => {
    const mine = [config, logsFolder, join(folder, 'data'), join(folder, 'tmp')];
    for (const path of [...mine, join(config, 'jvm.options.d')]) await mkdir(path, { recursive: true });
    for (const name of ['log4j2.properties', 'role_mapping.yml', 'roles.yml', 'users', 'users_roles']) {
      await copyFile(join(node.home, 'config', name), join(config, name));
    }
    if (options.slowLogSize !== undefined) await rotateSlowLogsAt(options.slowLogSize, config);
    await writeFile(join(config, 'jvm.options'), '');
    const settings: NodeSettings = {
      version,
      clusterName,
      nodeName,
      httpPort: port,
      transportPort,
      dataFolder: join(folder, 'data'),
      logsFolder,
      members: options.members ?? [joins ?? { nodeName, transportPort }].map(asMember),
      security: securityOf(options),
      extra: options.settings ?? {},
    };
    await writeFile(join(config, 'elasticsearch.yml'), nodeConfig(settings));
    if (joins !== undefined && password !== undefined) await copySecrets(joins.configFolder, config);
    for (const path of mine) await handOver(path);
    if (joins !== undefined || password === undefined) return;
    await runTool(node, keystoreCommand(node, 'create'));
    await runTool(node, keystoreCommand(node, 'add', '-x', 'bootstrap.password'), password);
  };

  /** Its input comes from a file: on the socket that Node makes of a pipe, closing fails it now and then. */
  const runTool = async (node: NodeCommand, tool: Command, input = ''): Promise<void> => {
    const [program, args] = unprivileged(node.java, tool.args);
    const path = join(folder, 'input');
    await writeFile(path, `${input}\n`, { mode: 0o600 });
    const file = await open(path);
    try {
      const child = spawn(program, args, {
        cwd: node.home,
        env: tool.environment,
        stdio: [file.fd, 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new TelltaleError('SERVER_START_FAILED', { what: title, reason: said.trim() });
    } finally {
      await file.close();
      await rm(path);
    }
  };

  const ask: ElasticsearchNode['ask'] = async (method, path, asking = {}) => {
    const authorization = `Basic ${Buffer.from(`elastic:${password ?? ''}`).toString('base64')}`;
    return askNode(`${url}${path}`, {
      ...asking,
      method,
      headers: { ...(password === undefined ? {} : { authorization }), ...asking.headers },
      ca: authorityFile === undefined ? undefined : await readFile(authorityFile, 'utf8'),
    });
  };

  const isReady = async (): Promise<boolean> => {
    const path = password === undefined ? '/' : '/_cluster/health';
    const said = await ask('GET', path, { timeoutMs: 2_000 }).catch(() => undefined);
    return said?.status === 200;
  };

  const server = processServer(
    {
      name: `elasticsearch-${nodeName}`,
      title,
      url,
      startMs: 300_000,
      stopMs: 10_000,
      wholeGroup: true,
      prepare,
      launching: () => {
        if (command === undefined) throw new Error('not prepared');
        const { java, home } = command;
        const { args, environment } = nodeCommand(command);
        const [program, all] = unprivileged(java, args);
        return Promise.resolve({
          spawn: (log: number) =>
            spawn(program, all, { cwd: home, env: environment, stdio: ['ignore', log, log], detached: true }),
          isReady,
        });
      },
    },
    options,
  );

  /** A launcher's end says nothing of its server's, so the port is awaited too. */
  const released = async (): Promise<void> => {
    for (let tries = 0; tries < 200; tries++) {
      if ((await isPortFree(port)) && (await isPortFree(transportPort))) return;
      await sleep(50);
    }
  };
  return {
    name: server.name,
    url,
    version,
    nodeName,
    port,
    transportPort,
    clusterName,
    logsFolder,
    configFolder: config,
    authorityFile,
    ask,
    get pid() {
      return server.pid;
    },
    start: () => server.start(),
    stop: async () => {
      await server.stop();
      await released();
    },
    kill9: async () => {
      await server.kill9();
      await released();
    },
  };
}

/** The launchers of 8 and 9 want Java's home, which a link in the PATH does not tell. */
async function realpathOf(java: string): Promise<string> {
  if (java.includes('/')) return realpath(java);
  const found = (process.env['PATH'] ?? '').split(delimiter).find((folder) => existsSync(join(folder, java)));
  return realpath(join(found ?? '/usr/bin', java));
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

/** What the nodes of a cluster share: keys, certificates, and the passwords of both. */
async function copySecrets(from: string, to: string): Promise<void> {
  await copyFile(join(from, 'elasticsearch.keystore'), join(to, 'elasticsearch.keystore'));
  const certificates = join(from, 'certs');
  if (existsSync(certificates)) await cp(certificates, join(to, 'certs'), { recursive: true });
}
