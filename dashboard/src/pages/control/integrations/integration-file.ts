/** The fields of one cluster, as typed. */
export interface ClusterFields {
  readonly protocol: string;
  readonly host: string;
  readonly port: string;
  readonly authentication: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  readonly verifyCertificate: boolean;
  readonly ca: string;
  readonly requestTimeoutMs: string;
  readonly slowlog: boolean;
  readonly logDirectories: string;
  readonly queryText: string;
}

export const emptyFields: ClusterFields = {
  ...{ protocol: 'https', host: '', port: '9200', authentication: 'apiKey', apiKey: '' },
  ...{ username: '', password: '', verifyCertificate: true, ca: '', requestTimeoutMs: '' },
  ...{ slowlog: false, logDirectories: '', queryText: 'scrubbed' },
};

/** Mistakes by field, as shown in the form: each text names its field. */
export type Mistakes = Partial<Record<keyof ClusterFields, string>>;

/** The same forms and limits as in schemas/integration.schema.json. */
const portForm = /^\s*\d{1,5}\s*$/;
const hostForm = /^(\[[0-9a-fA-F:.]+\]|[0-9a-fA-F:]*:[0-9a-fA-F:.]+|[A-Za-z0-9._-]+)$/;
const timeoutForm = /^\d{0,6}$/;
const longestTimeoutMs = 600_000;
const mostFolders = 64;

/** The mistakes of each cluster, in order. */
export const mistakesOf = (clusters: readonly ClusterFields[]): readonly Mistakes[] =>
  clusters.map((fields, index) => {
    const same = clusters.slice(0, index).findIndex((other) => addressOf(other) === addressOf(fields));
    return {
      ...(same !== -1 && { host: `Host: cluster ${same + 1} has the same address.` }),
      ...mistakesIn(fields),
    };
  });

function mistakesIn(fields: ClusterFields): Mistakes {
  const { port, authentication, username, password, requestTimeoutMs, slowlog } = fields;
  const timeout = requestTimeoutMs.trim();
  return {
    ...(!isHost(fields.host.trim()) && {
      host: 'Host: give a name or an address alone, such as es1.example.org.',
    }),
    ...(!(portForm.test(port) && Number(port) >= 1 && Number(port) <= 65_535) && {
      port: 'Port: give a number from 1 to 65535.',
    }),
    ...(authentication === 'apiKey' &&
      !isApiKey(keyOf(fields)) && {
        apiKey: 'API key: give the “encoded” value of the response that created it, or the pair id:api_key.',
      }),
    ...(authentication === 'basic' && username.trim() === '' && { username: 'User: give the name.' }),
    ...(authentication === 'basic' &&
      password.trim() === '' && { password: 'Password: give the user’s password.' }),
    ...(!(timeoutForm.test(timeout) && (timeout === '' || isTimeout(Number(timeout)))) && {
      requestTimeoutMs: 'Time for a call: give milliseconds from 1 to 600000, or nothing.',
    }),
    ...(slowlog &&
      foldersOf(fields).length > mostFolders && {
        logDirectories: `Folders of the logs: give ${mostFolders} at most.`,
      }),
  };
}

const isTimeout = (ms: number): boolean => ms >= 1 && ms <= longestTimeoutMs;

const authorityOf = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

const isHost = (host: string): boolean => hostForm.test(host) && URL.canParse(`http://${authorityOf(host)}`);

const addressOf = ({ protocol, host, port }: ClusterFields): string =>
  `${protocol}://${authorityOf(host.trim().toLowerCase())}:${Number(port)}`;

/** Tools wrap the encoded value after 64 or 76 characters. */
const keyOf = ({ apiKey }: ClusterFields): string => apiKey.replaceAll(/\s+/g, '');

const isApiKey = (key: string): boolean =>
  /^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key.includes(':') ? key : decoded(key));

function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

const foldersOf = ({ logDirectories }: ClusterFields): readonly string[] =>
  logDirectories
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');

/** The text of an integration.json: an object for one cluster, an array for several. */
export function integrationFile(clusters: readonly ClusterFields[]): string {
  const entries = clusters.map(entryOf);
  return `${JSON.stringify(entries.length === 1 ? entries[0] : entries, null, 2)}\n`;
}

/** Omits fields that have their standard value. */
function entryOf(fields: ClusterFields): object {
  const { protocol, host, port, authentication, username, password, verifyCertificate } = fields;
  const [ca, timeout] = [fields.ca.trim(), fields.requestTimeoutMs.trim()];
  return {
    service: 'elasticsearch',
    protocol,
    host: host.trim(),
    port: port.trim(),
    ...(authentication === 'apiKey' && { apiKey: keyOf(fields) }),
    ...(authentication === 'basic' && { username: username.trim(), password }),
    ...(protocol === 'https' && !verifyCertificate && { verifyCertificate }),
    ...(protocol === 'https' && verifyCertificate && ca !== '' && { tls: { ca } }),
    ...(timeout !== '' && { requestTimeoutMs: Number(timeout) }),
    ...(fields.slowlog && { slowlog: slowlogOf(fields) }),
  };
}

function slowlogOf(fields: ClusterFields): object {
  const logDirectories = foldersOf(fields);
  return {
    enabled: true,
    ...(logDirectories.length > 0 && { logDirectories }),
    ...(fields.queryText !== 'scrubbed' && { queryText: fields.queryText }),
  };
}
