import { gunzipSync, gzipSync } from 'node:zlib';
import type { ClusterMemory as StoredPiece } from '../../../schemas/generated/cluster-memory.js';
import { memoryForm, newMemory, pieces, type ClusterMemory, type Piece } from './cluster-memory.js';

/** Key of a cluster within a partition: workspaces never share a memory, not even of the same cluster. */
export interface ClusterKey {
  readonly workspace: string;
  readonly cluster_uuid: string;
}

export const clusterKey = ({ workspace, cluster_uuid }: ClusterKey): string => `${workspace}/${cluster_uuid}`;

export function pieceKey(of: ClusterKey, piece: Piece): string {
  return `${clusterKey(of)}/${piece}`;
}

/** Half of what a record may hold: more than 10,000 indices with all their counters. */
const largestState = 8 * 1024 * 1024;

/** Records how many characters of JSON a piece has. */
export type Measure = (piece: Piece, characters: number) => void;

/** A piece that exceeds the largest record starts again from empty: a gap, but the cluster does not stop. */
export function storedPiece(
  of: ClusterKey,
  piece: Piece,
  memory: ClusterMemory,
  measure: Measure = () => undefined,
): StoredPiece {
  const text = JSON.stringify(memory[piece]);
  const state = packed(text);
  const isTooLarge = state.length > largestState;
  if (isTooLarge) beginAnew(memory, piece);
  measure(piece, isTooLarge ? 0 : text.length);
  return {
    workspace: of.workspace,
    cluster_uuid: of.cluster_uuid,
    piece,
    form: memoryForm,
    state: isTooLarge ? packed(JSON.stringify(memory[piece])) : state,
  };
}

const packed = (text: string): Buffer => gzipSync(text, { level: 1 });

function beginAnew(memory: ClusterMemory, piece: Piece): void {
  const held = memory[piece];
  for (const name of Object.keys(held)) Reflect.deleteProperty(held, name);
  Object.assign(held, newMemory()[piece]);
}

/** The memory in these pieces. A piece that is missing or of an unknown form starts empty: a gap. */
export function memoryOf(stored: readonly StoredPiece[], measure: Measure = () => undefined): ClusterMemory {
  const memory: Record<Piece, unknown> = newMemory();
  for (const { piece, form, state } of stored) {
    if (form !== memoryForm || !(pieces as readonly string[]).includes(piece)) continue;
    const text = gunzipSync(state).toString();
    memory[piece as Piece] = JSON.parse(text);
    measure(piece as Piece, text.length);
  }
  return memory as ClusterMemory;
}
