import Cluster, { type CoordinatorMetadata } from 'kafkajs/src/cluster/index.js';

/**
 * Lets kafkajs remember which broker coordinates a transactional id or a group.
 *
 * kafkajs 2.2.4 asks (FindCoordinator) before every AddPartitionsToTxn, AddOffsetsToTxn, TxnOffsetCommit and EndTxn:
 * four of the nine round trips of a transaction. It remembers for a second only, as nothing tells this place that a
 * coordinator has moved: a request that goes to the former one is refused (NOT_COORDINATOR), never taken, and whoever
 * sent it tries again or gives its transaction up, as it must after any failure.
 */
export function rememberCoordinators(): void {
  if (installed) return;
  installed = true;
  const ask = Cluster.prototype.findGroupCoordinatorMetadata;
  Cluster.prototype.findGroupCoordinatorMetadata = function (this: Cluster, of) {
    const known = answers.get(this) ?? new Map<string, Remembered>();
    answers.set(this, known);
    const key = `${of.coordinatorType}:${of.groupId}`;
    const present = known.get(key);
    if (present !== undefined && performance.now() < present.until) return present.answer;
    const answer = ask.call(this, of);
    known.set(key, { answer, until: performance.now() + rememberedMs });
    answer.catch(() => known.delete(key));
    return answer;
  };
}

const rememberedMs = 1_000;
let installed = false;

interface Remembered {
  readonly answer: Promise<CoordinatorMetadata>;
  readonly until: number;
}

const answers = new WeakMap<Cluster, Map<string, Remembered>>();
