import { dirname, join } from 'node:path';
import type { ElasticsearchVersion } from './distributions.js';

export interface NodeCommand {
  readonly version: ElasticsearchVersion;
  /** The build; also the working directory. */
  readonly home: string;
  /** Folders `config` and `tmp` of this node. */
  readonly folder: string;
  readonly java: string;
  readonly heap: string;
}

export interface Command {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The command of `bin/elasticsearch` without its shell scripts, which require their own Java: 7 starts the server
 * itself; 8 and 9 start a small launcher that starts it.
 */
export function nodeCommand(node: NodeCommand): Command {
  if (node.version.startsWith('7.')) return seven(node);
  return node.version.startsWith('8.') ? eight(node) : nine(node);
}

/** `elasticsearch-keystore` of 8 and 9. */
export function keystoreCommand(node: NodeCommand, ...args: readonly string[]): Command {
  return { args: [...cli(node, 'keystore', 'lib/tools/keystore-cli'), ...args], environment: base(node) };
}

const config = ({ folder }: NodeCommand): string => join(folder, 'config');
const temporary = ({ folder }: NodeCommand): string => join(folder, 'tmp');

/** Only the first compiler: for a test's server, a fast start matters most. */
const jvm = (node: NodeCommand): string[] => [
  `-Xms${node.heap}`,
  `-Xmx${node.heap}`,
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  `-Djava.io.tmpdir=${temporary(node)}`,
  '-Djava.net.preferIPv4Stack=true',
];

const base = (node: NodeCommand): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: node.folder,
  LIBFFI_TMPDIR: temporary(node),
});

const launched = (node: NodeCommand): Record<string, string> => ({
  ...base(node),
  ES_JAVA_HOME: dirname(dirname(node.java)),
  JAVA_HOME: dirname(dirname(node.java)),
  JAVA: node.java,
  ES_HOME: node.home,
  ES_PATH_CONF: config(node),
  ES_JAVA_OPTS: jvm(node).join(' '),
  ES_TMPDIR: temporary(node),
  ES_DISTRIBUTION_TYPE: 'tar',
  ES_JAVA_TYPE: 'bundled',
  // A name for the certificates of a node that configures itself.
  HOSTNAME: 'localhost',
});

function seven(node: NodeCommand): Command {
  const properties = [
    '-Des.networkaddress.cache.ttl=60',
    '-Dlog4j.shutdownHookEnabled=false',
    '-Dlog4j2.disable.jmx=true',
    '-Dlog4j2.formatMsgNoLookups=true',
    '-Dfile.encoding=UTF-8',
    '-Djna.nosys=true',
    '-Djava.locale.providers=SPI,COMPAT',
    '-Djava.security.manager=allow',
    '--add-opens=java.base/java.io=ALL-UNNAMED',
    `-Des.path.home=${node.home}`,
    `-Des.path.conf=${config(node)}`,
    '-Des.distribution.flavor=default',
    '-Des.distribution.type=tar',
    '-Des.bundled_jdk=false',
  ];
  const main = ['-cp', `${node.home}/lib/*`, 'org.elasticsearch.bootstrap.Elasticsearch'];
  return { args: [...jvm(node), ...properties, ...main], environment: base(node) };
}

function eight(node: NodeCommand): Command {
  return { args: cli(node, 'server', 'lib/tools/server-cli'), environment: launched(node) };
}

function nine(node: NodeCommand): Command {
  const main = ['-cp', `${node.home}/lib/tools/server-launcher/*`];
  return {
    args: [...small, ...main, 'org.elasticsearch.server.launcher.ServerLauncher'],
    environment: launched(node),
  };
}

const small = ['-Xms4m', '-Xmx64m', '-XX:+UseSerialGC'];

function cli(node: NodeCommand, name: string, libraries: string): string[] {
  return [
    ...small,
    `-Dcli.name=${name}`,
    `-Dcli.script=${node.home}/bin/elasticsearch${name === 'server' ? '' : `-${name}`}`,
    `-Dcli.libs=${libraries}`,
    `-Des.path.home=${node.home}`,
    `-Des.path.conf=${config(node)}`,
    '-Des.distribution.type=tar',
    '-Des.java.type=bundled',
    '-cp',
    `${node.home}/lib/*:${node.home}/lib/cli-launcher/*`,
    'org.elasticsearch.launcher.CliToolLauncher',
  ];
}
