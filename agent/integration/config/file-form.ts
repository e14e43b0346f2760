import { z } from 'zod';
import { looksLikeApiKey } from './authentication.js';

const on = (what: string) => z.boolean().default(true).describe(what);
/** Timers of Node can't wait longer than 2^31 - 1 ms; a day is more than anybody needs. */
const seconds = (standard: number, what: string) =>
  z.int().min(1).max(86_400).default(standard).describe(what);
const count = (standard: number, most: number, what: string) =>
  z.int().min(1).max(most).default(standard).describe(what);
const text = (what: string) => z.string().trim().default('').describe(what);

const advanced = z.object({
  enabled: on('false: only cluster health, nodes and pending tasks are collected.'),
  indices: on('Indices: health, sizes, documents, rates.'),
  shards: on('Shards: where each is, or why it is unassigned.'),
  clusterStats: on('Counts of the whole cluster.'),
  pendingTasks: on('Tasks that wait for the master.'),
  recovery: on('Shard recoveries in progress.'),
  tasks: on('Long-running tasks: reindex, update and delete by query, snapshots.'),
  dataStreams: on('Data streams; 7.9 or later.'),
  allocationExplain: on('Why a shard is unassigned; the only call that is a POST.'),
  maxIndices: count(200, 100_000, 'Indices, ranked by store size, that get full metrics; all are listed.'),
  maxIndicesPerPayload: count(200, 10_000, 'Indices per batch; the rest are sent in further batches.'),
  maxShards: count(2_000, 1_000_000, 'Shards that are kept; those that are not started come first.'),
  maxNodes: count(200, 10_000, 'Nodes that are kept.'),
  indexIntervalSeconds: seconds(300, 'Between two collections of indices and their data.'),
  shardIntervalSeconds: seconds(300, 'Between two listings of shards.'),
  clusterStatsIntervalSeconds: seconds(300, 'Between two collections of cluster stats.'),
  metadataIntervalSeconds: seconds(900, 'Between two readings of topology, watermarks and data streams.'),
  recoveryIntervalSeconds: seconds(300, 'Between two readings of recoveries.'),
  taskIntervalSeconds: seconds(600, 'Between two readings of long-running tasks.'),
  slowSearchThresholdMs: z
    .number()
    .min(0)
    .max(86_400_000)
    .default(500)
    .describe('An index whose mean query takes longer over an interval is marked slow.'),
  slowIndexingThresholdMs: z
    .number()
    .min(0)
    .max(86_400_000)
    .default(500)
    .describe('The same for indexing one document.'),
});

const slowlog = z.object({
  enabled: z.boolean().default(false).describe('Collects slow operations from log files of this host.'),
  searchLogPath: text(
    'Slow log of searches; `*` stands for any part of a name. Found automatically if empty.',
  ),
  indexingLogPath: text(
    'Slow log of indexing; `*` stands for any part of a name. Found automatically if empty.',
  ),
  logDirectories: z
    .array(z.string().trim().min(1))
    .max(64)
    .default([])
    .describe('Folders to look in, instead of the standard ones.'),
  minDurationMs: z.number().min(0).default(0).describe('Shorter operations are left out.'),
  maxEntriesPerCollection: count(200, 100_000, 'Entries per collection; those left out are counted.'),
  queryText: z
    .enum(['scrubbed', 'shape', 'none'])
    .default('scrubbed')
    .describe('What is kept of a query: its scrubbed text, its shape without any literal, or nothing.'),
  maxQueryLength: count(2_000, 1_000_000, 'Characters of a query that are kept, once scrubbed.'),
  maxSourceLength: count(512, 1_000_000, 'Characters of a document that are kept, if any.'),
  storeSource: z
    .boolean()
    .default(false)
    .describe("Keeps documents' `_source`, scrubbed and cut; otherwise only its size."),
});

/** As in a URL: an IPv6 address is in brackets. */
export const authorityOf = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

const portRule = 'must be a port between 1 and 65535, as in "9200"';

/** One cluster. */
export const entryForm = z
  .object(
    {
      service: z.literal('elasticsearch').describe('The kind of integration.'),
      monitor: z.boolean().default(true).describe('false: this cluster is not queried.'),
      protocol: z.enum(['http', 'https']).default('http'),
      host: z
        .string({
          error: (issue) => (issue.input === undefined ? 'is missing: name one reachable node' : undefined),
        })
        .trim()
        .regex(/^(\[[0-9a-fA-F:.]+\]|[0-9a-fA-F:]*:[0-9a-fA-F:.]+|[A-Za-z0-9._-]+)$/, {
          error:
            'must be a name or an address alone, as in "es1.example.org": no protocol, port, user or path',
          abort: true,
        })
        .refine((host) => URL.canParse(`http://${authorityOf(host)}`), {
          error: 'is not a usable name or address: check that its numbers form an address, as in "10.0.0.12"',
        })
        .describe('One reachable node.'),
      port: z
        .union(
          [
            z.string().regex(/^\s*\d{1,5}\s*$/, { error: portRule }),
            z.int().min(1, portRule).max(65_535, portRule),
          ],
          {
            error: portRule,
          },
        )
        .default('9200')
        .transform(Number)
        .refine((port) => port >= 1 && port <= 65_535, portRule)
        .describe('Port of its HTTP interface, as text.'),
      username: text('For basic authentication; empty means unset.'),
      password: z.string().default('').describe('Password of that user.'),
      apiKey: text('Base64 of `id:api_key`, or that pair itself; used instead of username and password.')
        // Tools wrap base64 after 64 or 76 characters.
        .transform((key) => key.replace(/\s+/g, ''))
        .refine(
          (key) => key === '' || looksLikeApiKey(key),
          'is neither id:api_key nor base64 of that (the "encoded" value in the answer to creating the key)',
        ),
      verifyCertificate: on('false: any certificate is accepted; not recommended.'),
      tls: z
        .object({ ca: text('CA certificate: a path on this host, or PEM text.') })
        .prefault({})
        .describe('For https.'),
      requestTimeoutMs: z.int().min(1).max(600_000).default(15_000).describe('For each call.'),
      advanced: advanced.prefault({}),
      slowlog: slowlog.prefault({}),
    },
    { error: 'must be an object, as in {"service": "elasticsearch", "host": "es1.example.org"}' },
  )
  .refine(credentialsAreWhole, {
    error: 'username and password go together: give both, or neither',
    path: ['username'],
    when: () => true, // whatever else is wrong: all mistakes are reported at once
  });

/** Takes the file's values, of any type. */
function credentialsAreWhole(
  entry: { username?: unknown; password?: unknown; apiKey?: unknown } | null,
): boolean {
  if (entry === null) return true; // not an object, which another check reports
  const isSet = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
  return isSet(entry.apiKey) || isSet(entry.username) === isSet(entry.password);
}

export type EntryForm = z.output<typeof entryForm>;
export type AdvancedSettings = EntryForm['advanced'];
export type SlowlogSettings = EntryForm['slowlog'];

/** The form of integration.json; schemas/integration.schema.json is generated from it. */
export const integrationFile = z.union([
  entryForm.safeExtend({ $schema: z.string().optional() }),
  z.array(entryForm),
]);

/** Names of the members that the form knows, by the pointer of the object that contains them. */
export const knownMembers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set([...Object.keys(entryForm.shape), '$schema'])],
  ['/tls', new Set(['ca'])],
  ['/advanced', new Set(Object.keys(advanced.shape))],
  ['/slowlog', new Set(Object.keys(slowlog.shape))],
]);
