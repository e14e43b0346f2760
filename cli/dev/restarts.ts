/** Decides when a process that ended is started again. Pure, so that it can be tested without processes. */
export interface RestartPolicy {
  readonly firstDelayMs: number;
  readonly mostDelayMs: number;
  /** A run of this length counts as healthy, and restarts the count of failures. */
  readonly healthyMs: number;
  /** This many unhealthy runs in a row are a crash loop. */
  readonly loopAfter: number;
}

export const standardPolicy: RestartPolicy = {
  firstDelayMs: 250,
  mostDelayMs: 10_000,
  healthyMs: 30_000,
  loopAfter: 5,
};

export interface Restart {
  /** Unhealthy runs in a row, this one included. */
  readonly failures: number;
  readonly delayMs: number;
  readonly crashLoop: boolean;
}

export function nextRestart(
  previousFailures: number,
  ranMs: number,
  policy: RestartPolicy = standardPolicy,
): Restart {
  const failures = ranMs >= policy.healthyMs ? 1 : previousFailures + 1;
  return {
    failures,
    delayMs: Math.min(policy.mostDelayMs, policy.firstDelayMs * 2 ** (failures - 1)),
    crashLoop: failures >= policy.loopAfter,
  };
}
