import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './errors.js';
import type { Condition } from './health.js';
import type { Stoppable } from './lifecycle.js';

export interface DependencyWatch {
  /** Names it in `/readyz` while it is unavailable. */
  readonly name: string;
  readonly condition: Condition;
  /** Rejects, with a reason, if the dependency can't be used now. */
  ask(): Promise<unknown>;
  readonly everyMs?: number;
  /** A dependency that has not answered after this time counts as unavailable, whatever it answers later. */
  readonly patienceMs?: number;
}

/** Asks a server at intervals whether it can be used; `/readyz` names it while it can't. */
export function watchDependency(watch: DependencyWatch): Stoppable {
  const { name, condition, everyMs = 1_000, patienceMs = 3_000 } = watch;
  const stopped = new AbortController();
  let asked: Promise<unknown> | undefined;

  /** One question at a time: a server that does not answer gets no further ones. */
  const answer = (): Promise<unknown> => {
    asked ??= watch.ask().finally(() => (asked = undefined));
    return asked;
  };
  const look = async (): Promise<void> => {
    const patience = new AbortController();
    const tooLate = sleep(patienceMs, undefined, { signal: patience.signal }).then(() => {
      throw new Error(`no answer within ${patienceMs} ms`);
    });
    try {
      await Promise.race([answer(), tooLate]);
      condition.met();
    } catch (error) {
      condition.unmet(reasonOf(error));
    } finally {
      patience.abort();
      tooLate.catch(() => undefined);
    }
  };
  const lookAgainAndAgain = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await look();
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  void lookAgainAndAgain();
  return { name: `watch of ${name}`, stop: () => stopped.abort() };
}
