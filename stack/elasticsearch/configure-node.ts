import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TelltaleError } from '../../runtime/errors.js';
import { keystoreCommand, type Command, type NodeCommand } from './commands.js';
import { nodeConfig, type NodeSettings } from './node-config.js';
import { handOver, unprivileged } from './unprivileged.js';

export interface NodeConfiguration {
  /** The folder of its configuration files. */
  readonly config: string;
  readonly settings: NodeSettings;
  /** The size at which its slow logs are rotated and compressed; 1 GB by default. */
  readonly slowLogSize: string | undefined;
  /** The configuration of a node whose keys and passwords this one shares. */
  readonly sharesSecretsOf: string | undefined;
  /** The password of the user `elastic`, if this node is the first that has one. */
  readonly password: string | undefined;
}

/** Writes the configuration of a node, and makes the folders that it writes to. */
export async function configureNode(
  node: NodeCommand,
  { config, settings, slowLogSize, sharesSecretsOf, password }: NodeConfiguration,
): Promise<void> {
  const mine = [config, settings.logsFolder, settings.dataFolder, join(node.folder, 'tmp')];
  for (const path of [...mine, join(config, 'jvm.options.d')]) await mkdir(path, { recursive: true });
  for (const name of ['log4j2.properties', 'role_mapping.yml', 'roles.yml', 'users', 'users_roles']) {
    await copyFile(join(node.home, 'config', name), join(config, name));
  }
  if (slowLogSize !== undefined) await rotateSlowLogsAt(slowLogSize, config);
  await writeFile(join(config, 'jvm.options'), '');
  await writeFile(join(config, 'elasticsearch.yml'), nodeConfig(settings));
  if (sharesSecretsOf !== undefined) await copySecrets(sharesSecretsOf, config);
  for (const path of mine) await handOver(path);
  if (password === undefined) return;
  await runTool(node, keystoreCommand(node, 'create'));
  await runTool(node, keystoreCommand(node, 'add', '-x', 'bootstrap.password'), password);
}

async function rotateSlowLogsAt(size: string, config: string): Promise<void> {
  const path = join(config, 'log4j2.properties');
  const text = await readFile(path, 'utf8');
  await writeFile(
    path,
    text.replace(/^(appender\.\w*slowlog\w*\.policies\.size\.size = ).*$/gm, `$1${size}`),
  );
}

/** Its input comes from a file, because closing the socket that Node makes of a pipe sometimes fails. */
async function runTool(node: NodeCommand, tool: Command, input = ''): Promise<void> {
  const [program, args] = unprivileged(node.java, tool.args);
  const path = join(node.folder, 'input');
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
    if (code !== 0)
      throw new TelltaleError('SERVER_START_FAILED', {
        what: `Elasticsearch ${node.version}`,
        reason: said.trim(),
      });
  } finally {
    await file.close();
    await rm(path);
  }
}

/** Copies what the nodes of a cluster share: keys, certificates, and the passwords of both. */
async function copySecrets(from: string, to: string): Promise<void> {
  await copyFile(join(from, 'elasticsearch.keystore'), join(to, 'elasticsearch.keystore'));
  const certificates = join(from, 'certs');
  if (existsSync(certificates)) await cp(certificates, join(to, 'certs'), { recursive: true });
}
