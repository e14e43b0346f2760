import type { ByteString } from '../../runtime/http/exchange.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import type { TaskState } from '../../schemas/results.js';
import { taskStatusBody } from '../../schemas/task-status-body.js';

/**
 * A task's status as the view stores it: first the fields that are compared, then the answer's JSON as it
 * will be sent. Layout: rank (1), updated at (8), accepted at (8), length of the workspace (2) and of the
 * digest (2), both, the body. A reference has the rank's highest bit set. Instead of the body it has the
 * offset of the record with the body (8).
 */
const headerBytes = 21;
const offsetBytes = 8;
const referenceBit = 0x80;
const at = { rank: 0, updatedAt: 1, acceptedAt: 9, workspaceLength: 17, digestLength: 19 } as const;

/** A task never goes back to a state of a lower rank. */
const rankOf: Readonly<Record<TaskState, number>> = { queued: 0, processing: 1, processed: 2, failed: 2 };

export function encodeEntry(status: TaskStatus): Buffer {
  const body = taskStatusBody(status);
  const entry = withRoomFor(Buffer.byteLength(body), status);
  entry.write(body, bodyStart(entry));
  return entry;
}

/** Without the body, which the record at this offset has. */
export function encodeReference(status: TaskStatus, offset: number): Buffer {
  const entry = withRoomFor(offsetBytes, status);
  entry.writeUInt8(rankOf[status.status] | referenceBit, at.rank);
  entry.writeDoubleLE(offset, bodyStart(entry));
  return entry;
}

/** An entry with the fields that are compared, and room for this many bytes after them. */
function withRoomFor(bytes: number, status: TaskStatus): Buffer {
  const workspace = Buffer.byteLength(status.workspace);
  const digest = Buffer.byteLength(status.request_digest ?? '');
  const entry = Buffer.allocUnsafe(headerBytes + workspace + digest + bytes);
  entry.writeUInt8(rankOf[status.status], at.rank);
  entry.writeDoubleLE(status.updated_at, at.updatedAt);
  entry.writeDoubleLE(status.accepted_at, at.acceptedAt);
  entry.writeUInt16LE(workspace, at.workspaceLength);
  entry.writeUInt16LE(digest, at.digestLength);
  entry.write(status.workspace, headerBytes);
  entry.write(status.request_digest ?? '', headerBytes + workspace);
  return entry;
}

function bodyStart(entry: Buffer): number {
  return headerBytes + entry.readUInt16LE(at.workspaceLength) + entry.readUInt16LE(at.digestLength);
}

function rankIn(entry: Buffer): number {
  return entry.readUInt8(at.rank) & ~referenceBit;
}

export function isReference(entry: Buffer): boolean {
  return (entry.readUInt8(at.rank) & referenceBit) !== 0;
}

/** The offset of the record that the reference points to. */
export function offsetIn(reference: Buffer): number {
  return reference.readDoubleLE(bodyStart(reference));
}

/** Whether the entry was made from this status of its task. */
export function matchesReference(status: TaskStatus, entry: Buffer): boolean {
  return rankOf[status.status] === rankIn(entry) && status.updated_at === entry.readDoubleLE(at.updatedAt);
}

/**
 * Whether `next` replaces `stored`: a higher state does, a lower one never does. Of two equal states the
 * later one counts. So every edge ends with the same answer, however often and in whatever order it reads
 * them.
 */
export function supersedes(next: TaskStatus, stored: Buffer): boolean {
  const difference = rankOf[next.status] - rankIn(stored);
  return difference > 0 || (difference === 0 && next.updated_at > stored.readDoubleLE(at.updatedAt));
}

/**
 * A copy of an entry that the store has read. LMDB's buffer is longer than its `length`, so only that part
 * may be copied.
 */
export function copyOf(entry: Buffer): Buffer {
  return Buffer.from(entry.subarray(0, entry.length));
}

/** Of two entries of one task, the one that counts. */
export function laterOf(one: Buffer, other: Buffer): Buffer {
  const difference = rankIn(other) - rankIn(one);
  const later = other.readDoubleLE(at.updatedAt) - one.readDoubleLE(at.updatedAt);
  return difference > 0 || (difference === 0 && later > 0) ? other : one;
}

/** Microseconds since 1970. */
export function acceptedAt(entry: Buffer): number {
  return entry.readDoubleLE(at.acceptedAt);
}

export function workspaceOf(entry: Buffer): string {
  return entry.toString('utf8', headerBytes, headerBytes + entry.readUInt16LE(at.workspaceLength));
}

export function digestOf(entry: Buffer): string | null {
  const start = headerBytes + entry.readUInt16LE(at.workspaceLength);
  const length = entry.readUInt16LE(at.digestLength);
  return length === 0 ? null : entry.toString('utf8', start, start + length);
}

/** The answer's bytes, copied; a reference has none. */
export function bodyOf(entry: Buffer): ByteString {
  if (isReference(entry)) throw new TypeError('a reference has no body');
  return entry.toString('latin1', bodyStart(entry), entry.length);
}
