/** Each workspace's share of a lane in this process. */
export interface WorkspaceShares {
  /** Takes this many milliseconds of a thread from the workspace's share; false if too few are left. */
  take(workspace: string, ms: number): boolean;
}

export interface WorkspaceSharesOptions {
  /** Threads of the lane. */
  readonly threads: number;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Half of the threads' time is shared out: the other half keeps the lane short for other workspaces. */
const handedOut = 0.5;
/** The most that a workspace may take at once: others wait for that long. */
const burstMs = 50;
/** A workspace that has sent nothing for this long has no share. */
const activeMs = 10_000;
const sweepMs = 1_000;

interface Share {
  leftMs: number;
  askedAt: number;
}

/** The time of a lane's threads, in equal shares among the workspaces that use it: a token bucket for each. */
export function workspaceShares({ threads, now }: WorkspaceSharesOptions): WorkspaceShares {
  const shares = new Map<string, Share>();
  let sweptAt = -Infinity;

  function sweep(at: number): void {
    if (at - sweptAt < sweepMs) return;
    sweptAt = at;
    for (const [workspace, { askedAt }] of shares) if (at - askedAt > activeMs) shares.delete(workspace);
  }

  return {
    take(workspace, ms) {
      const at = now();
      sweep(at);
      const share = shares.get(workspace) ?? { leftMs: burstMs, askedAt: at };
      shares.set(workspace, share);
      const earnedMs = ((at - share.askedAt) * threads * handedOut) / shares.size;
      share.leftMs = Math.min(burstMs, share.leftMs + earnedMs);
      share.askedAt = at;
      if (share.leftMs < ms) return false;
      share.leftMs -= ms;
      return true;
    },
  };
}
