import type { ClusterRows } from '../../schemas/generated/cluster-rows.js';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import {
  clusterHealth,
  clusterIndices,
  clusterMemory,
  clusterNodes,
  clusterOverview,
  clusterRecoveries,
  clusterShards,
  clusterTasks,
} from '../../topics/cluster-figures.js';
import type { Topic } from '../../topics/topic.js';
import {
  type IncomingRecord,
  type OutgoingRecord,
  deadLetter,
  drop,
  emit,
  record,
  removal,
  retryLater,
  type StepContext,
  type StepOutcome,
} from '../../runtime/processor.js';
import { inSlices, Slice } from '../../runtime/slice.js';
import { applySnapshot, type Dataset } from './apply-snapshot.js';
import type { Row } from './derive/row.js';
import { digestOf, healthRecord } from './health-record.js';
import type { ClusterMemory, Piece } from './memory/cluster-memory.js';
import type { Memories } from './memory/partition-memory.js';
import type { RememberedClusters } from './memory/remembered-clusters.js';
import { admit } from './memory/slots.js';
import { clusterKey, pieceKey, storedPiece, type ClusterKey, type Measure } from './memory/stored-pieces.js';
import { readSnapshot } from './read-snapshot.js';
import { evaluate } from './rules/score.js';
import { situationOf } from './situation/situation-of.js';

const topics: Readonly<Record<Dataset, Topic<ClusterRows>>> = {
  overview: clusterOverview,
  nodes: clusterNodes,
  indices: clusterIndices,
  shards: clusterShards,
  tasks: clusterTasks,
  recoveries: clusterRecoveries,
};

type Incoming = IncomingRecord<ClusterSnapshot>;

/**
 * One run of snapshots of one partition: the rows of each, and, once for each cluster, the memory after all of them.
 * Both are in one transaction with the offset, so that the memory always matches what was emitted.
 */
export async function clusterStep(
  records: readonly Incoming[],
  context: StepContext,
  memories: Memories,
): Promise<readonly StepOutcome[]> {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return [];
  let memory: RememberedClusters;
  try {
    memory = await memories.for(first.partition, { first: first.offset, last: last.offset }, context);
  } catch (cause) {
    return records.map(() => retryLater(cause));
  }
  const outcomes: StepOutcome[] = [];
  const touched = new Map<string, { readonly index: number; readonly pieces: Set<Piece> }>();
  const slice = new Slice();
  for (const [index, { value }] of records.entries()) {
    await slice.pause();
    const { outcome, changed } = await stepOne(value, memory, slice);
    outcomes.push(outcome);
    if (changed.length === 0) continue;
    const pieces = touched.get(clusterKey(value))?.pieces ?? new Set<Piece>();
    for (const piece of changed) pieces.add(piece);
    touched.set(clusterKey(value), { index, pieces });
  }
  for (const { index, pieces } of touched.values()) {
    const outcome = outcomes[index];
    const incoming = records[index];
    if (outcome?.kind !== 'emit' || incoming === undefined) continue;
    const remembered = await memoryRecords(incoming, memory, pieces);
    outcomes[index] = emit(...outcome.records, ...remembered);
  }
  const latest = Math.max(...[...touched.values()].map(({ index }) => index));
  const outcome = outcomes[latest];
  if (outcome?.kind === 'emit')
    outcomes[latest] = emit(...outcome.records, ...removals(records, memory, first.partition));
  return outcomes;
}

function memoryRecords(
  { value, partition }: Incoming,
  clusters: RememberedClusters,
  pieces: ReadonlySet<Piece>,
): Promise<readonly OutgoingRecord[]> {
  const of: ClusterKey = { workspace: value.workspace, cluster_uuid: value.cluster_uuid };
  const memory = clusters.of(of);
  const measure: Measure = (piece, size) => clusters.measure(of, piece, size);
  return inSlices([...pieces], (piece) => ({
    ...record(clusterMemory, pieceKey(of, piece), storedPiece(of, piece, memory, measure)),
    partition,
  }));
}

/** What must be forgotten of these workspaces. This same run may have written it, so removals are last. */
function removals(
  records: readonly Incoming[],
  clusters: RememberedClusters,
  partition: number,
): readonly OutgoingRecord[] {
  const workspaces = new Set(records.map(({ value }) => value.workspace));
  return [...workspaces]
    .flatMap((workspace) => clusters.forgetOldest(workspace))
    .flatMap(({ of, pieces }) =>
      pieces.map((piece) => ({ ...removal(clusterMemory, pieceKey(of, piece)), partition })),
    );
}

interface Stepped {
  readonly outcome: StepOutcome;
  readonly changed: readonly Piece[];
}

async function stepOne(
  value: ClusterSnapshot,
  partition: RememberedClusters,
  slice: Slice,
): Promise<Stepped> {
  const read = await readSnapshot(value);
  if (!read.ok) return { outcome: deadLetter('SNAPSHOT_INVALID', read.reason), changed: [] };
  const { snapshot } = read;
  const memory = partition.of(value);
  const admission = admit(memory.header, snapshot);
  if (admission.kind === 'refused') return { outcome: drop(admission.reason), changed: [] };
  const { rows, changed } = await applySnapshot(memory, snapshot, admission.whole);
  await slice.pause();
  const emitted = Object.entries(rows).flatMap(([dataset, list]) =>
    list.length === 0
      ? []
      : [record(topics[dataset as Dataset], value.cluster_uuid, rowsRecord(value, list))],
  );
  await slice.pause();
  const health = admission.whole ? healthAfter(value, memory) : [];
  return { outcome: emit(...emitted, ...health), changed: ['header', ...changed] };
}

function rowsRecord(value: ClusterSnapshot, rows: readonly Row[]): ClusterRows {
  return {
    id: value.id,
    workspace: value.workspace,
    cluster_uuid: value.cluster_uuid,
    cluster_name: value.cluster_name,
    cluster_version: value.cluster_version,
    section: value.section,
    slot: value.slot,
    interval_seconds: value.interval_seconds,
    taken_at: value.taken_at,
    reporter: value.reporter,
    part: value.part,
    parts: value.parts,
    partial: value.partial,
    unavailable: value.unavailable,
    rows: JSON.stringify(rows),
  };
}

const healthEveryMs = 60_000;

/**
 * One health record per minute, and another one whenever its content has changed; the loss of the score is a
 * change. Before the first score, only the agent's report on what it can collect makes a record without one.
 */
function healthAfter(value: ClusterSnapshot, memory: ClusterMemory): readonly OutgoingRecord[] {
  const { header } = memory;
  const at = value.taken_at;
  const situation = situationOf(memory, value.cluster_version, at);
  const status = situation.cluster.known ? situation.cluster.value.status : null;
  const health = healthRecord(value, evaluate(situation), status, at);
  const digest = digestOf(health);
  const { emitted } = header;
  const due = value.section === 'health' || emitted === undefined || at - emitted.at >= healthEveryMs;
  if (!due && emitted.digest === digest) return [];
  if (health.score === null && emitted === undefined && value.section !== 'capabilities') return [];
  header.emitted = { at, digest };
  return [record(clusterHealth, clusterKey(value), health)];
}
