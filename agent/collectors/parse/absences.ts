import type { Unavailable } from '../../../schemas/snapshots.js';
import { cut } from './answer.js';

/** Why a field is null, if more is known than "the cluster did not give it". */
export type KnownReasons = Readonly<Record<string, Omit<Unavailable, 'field'>>>;

/** One path of a body, in which `*` stands for any element of a list. Paths are built once, not for each element. */
interface PathNode {
  readonly path: string;
  readonly inner: Map<string, PathNode>;
  seen: number;
  missing: number;
}

const newNode = (path: string): PathNode => ({ path, inner: new Map(), seen: 0, missing: 0 });

/**
 * Every field of a body that is null although it could be measured, with its reason:
 * `nodes.*.operations.bulks_total`. A field of list elements counts if any element lacks it. `natural` names
 * fields whose null is an answer (a started shard has no reason why it is unassigned). `neverEmpty` names
 * lists that count as missing if they are empty.
 */
export function absencesOf(
  body: object,
  natural: readonly string[],
  reasons: KnownReasons,
  version: string | null,
  neverEmpty: readonly string[] = [],
): readonly Unavailable[] {
  const root = newNode('');
  count(body, root, { natural: new Set(natural), neverEmpty: new Set(neverEmpty) });
  return missingOf(root)
    .map(({ path, seen, missing }) => {
      const known = reasons[path];
      const reason = known?.reason ?? `the cluster (version ${version ?? 'unknown'}) did not report it`;
      const of = missing === seen ? '' : ` (${missing} of ${seen})`;
      return { field: path, code: known?.code ?? 'not_given', reason: cut(`${reason}${of}`, 1_024) } as const;
    })
    .slice(0, 500);
}

function missingOf(node: PathNode): readonly PathNode[] {
  const inner = [...node.inner.values()].flatMap(missingOf);
  return node.missing > 0 ? [node, ...inner] : inner;
}

function innerOf(node: PathNode, key: string): PathNode {
  let inner = node.inner.get(key);
  if (inner === undefined) {
    inner = newNode(node.path === '' ? key : `${node.path}.${key}`);
    node.inner.set(key, inner);
  }
  return inner;
}

interface Kinds {
  readonly natural: ReadonlySet<string>;
  readonly neverEmpty: ReadonlySet<string>;
}

function count(value: unknown, node: PathNode, kinds: Kinds): void {
  if (kinds.natural.has(node.path)) return;
  if (Array.isArray(value)) {
    node.seen += 1;
    if (value.length === 0 && kinds.neverEmpty.has(node.path)) node.missing += 1;
    const element = innerOf(node, '*');
    for (const inner of value) count(inner, element, kinds);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) count(inner, innerOf(node, key), kinds);
  } else {
    node.seen += 1;
    if (value === null) node.missing += 1;
  }
}
