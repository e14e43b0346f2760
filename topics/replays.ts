import type { Replay } from '../schemas/generated/replay.js';
import { avro, compactAndDeleteAfter, topic } from './topic.js';

/** The state of each replay and import. Kept for longer than any topic that a replay reads. */
export const replays = topic({
  name: 'operations.replays',
  key: 'replay id',
  value: avro<Replay>('replay'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 400 }),
  owner: 'cli',
});
