/**
 * The conditions that must hold before a process may take work. Each has a name, so that `/readyz` can say which is
 * missing.
 */
export interface Health {
  /** Registers a condition; it starts as not met, with the given reason. */
  condition(name: string, reason?: string): Condition;
  /** Ready when every condition holds and the process is not stopping. */
  readiness(): Readiness;
  /** Not ready from now on, whatever the conditions say. */
  stopping(): void;
}

export interface Condition {
  met(): void;
  unmet(reason: string): void;
}

interface Readiness {
  readonly ready: boolean;
  readonly waitingFor: Readonly<Record<string, string>>;
}

export function createHealth(): Health {
  const unmet = new Map<string, string>();
  return {
    condition(name, reason = 'starting') {
      unmet.set(name, reason);
      return {
        met: () => void unmet.delete(name),
        unmet: (why) => void unmet.set(name, why),
      };
    },
    readiness: () => ({ ready: unmet.size === 0, waitingFor: Object.fromEntries(unmet) }),
    stopping: () => void unmet.set('process', 'stopping'),
  };
}
