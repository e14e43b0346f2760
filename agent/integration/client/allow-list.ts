/**
 * Every call that the agent makes to a search cluster; it may make no other: these GETs and one POST. None
 * changes anything, and none reads the full cluster state. `{indices}` stands for names or patterns of
 * indices, escaped; the other placeholders are closed alphabets that contain no other API's name.
 */
export const allowedGets = [
  '/',
  '/_cluster/health',
  '/_cluster/health/{indices}',
  '/_cluster/stats',
  '/_cluster/pending_tasks',
  '/_cluster/settings',
  '/_cat/indices',
  '/_cat/master',
  '/_cat/shards',
  '/_data_stream/_stats',
  '/_nodes/hot_threads',
  '/_nodes/{metrics}',
  '/_nodes/stats/{metrics}/{metrics}',
  '/_nodes/{nodes}/stats/{metrics}/{metrics}',
  '/_recovery',
  '/{indices}/_stats/{metrics}',
  '/_all/_settings/{settings}',
  '/_tasks',
] as const;

export const explainPath = '/_cluster/allocation/explain';

export type AllowedCall = `GET ${(typeof allowedGets)[number]}` | `POST ${typeof explainPath}`;

/** Node ids have 20 or more characters of base64url: only one of that length can begin with an underscore. */
const node = '(?:[A-Za-z0-9-][A-Za-z0-9_-]*|_[A-Za-z0-9_-]{19,})';

const parts: Readonly<Record<string, string>> = {
  // No name of an index begins with an underscore, nor is one `.` or `..` (MetadataCreateIndexService).
  indices: String.raw`(?!_)(?!\.{1,2}(?:/|$))(?:[A-Za-z0-9.,*_~!()'@:+=&;$-]|%[0-9A-Fa-f]{2})+`,
  nodes: `${node}(?:,${node})*`,
  metrics: '[a-z][a-z_]*(?:,[a-z][a-z_]*)*',
  settings: '(?:[a-z*][a-z_*]*\\.)*[a-z*][a-z_*]*',
};

/** Escapes that a proxy might decode into another path before the cluster sees it: controls, `.`, `/`, `\`, `%`. */
const treacherous = /%(?:[01][0-9a-f]|2[0e5f]|5c|7f)/i;

const rules = allowedGets.map((template) => {
  const pattern = template.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
  return { call: `GET ${template}` as const, pattern: new RegExp(`^${pattern}$`) };
});

/**
 * The call of the list that this is; undefined if it is none. The caller is responsible for the query: on
 * GETs it changes nothing.
 */
export function allowedCall(method: string, target: string): AllowedCall | undefined {
  const [path = ''] = target.split('?', 1);
  if (!/^[\x21-\x7e]+$/.test(target) || target.includes('#') || treacherous.test(path)) return undefined;
  if (method === 'POST') return path === explainPath ? `POST ${explainPath}` : undefined;
  return method === 'GET' ? rules.find(({ pattern }) => pattern.test(path))?.call : undefined;
}
