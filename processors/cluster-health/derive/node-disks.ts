import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';
import type { NodeMemory, RememberedTopology } from '../memory/cluster-memory.js';

const dataRoles = /^data(_|$)/;

const dataRolesOf = (roles: NodeSnapshot['roles']): readonly string[] =>
  (roles ?? []).filter((role) => dataRoles.test(role));

/** A node whose roles are unknown counts as one that holds shards. */
export const holdsShards = (
  roles: NodeSnapshot['roles'],
  topology: RememberedTopology | undefined,
): boolean => (roles === null ? (topology?.is_data ?? true) : dataRolesOf(roles).length > 0);

/** Whether the node holds shards but did not report the space of each of its data paths. */
export function lacksDisks(
  { roles, data_paths: paths }: NodeSnapshot,
  topology: RememberedTopology | undefined,
): boolean {
  const unmeasured = paths.some(
    ({ total_bytes: total, available_bytes: available }) => !total || available === null,
  );
  return holdsShards(roles, topology) && (paths.length === 0 || unmeasured);
}

/** Watermarks apply to nodes that hold shards; if the roles of a node are unknown, all of its disks count. */
export function disksOf(
  { roles, data_paths: paths }: NodeSnapshot,
  topology: RememberedTopology | undefined,
): NodeMemory['disks'] {
  if (!holdsShards(roles, topology)) return [];
  const data = dataRolesOf(roles);
  const frozenOnly = data.length > 0 && data.every((role) => role === 'data_frozen');
  return paths.flatMap(({ path, mount, total_bytes: total, available_bytes: available }) =>
    total === null || total === 0 || available === null
      ? []
      : [{ path: path ?? mount ?? 'a data path', totalBytes: total, availableBytes: available, frozenOnly }],
  );
}
