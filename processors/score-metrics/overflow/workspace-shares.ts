/** How much of a lane each workspace has in this process. */
export interface WorkspaceShares {
  /** Whether one more task of the workspace may be at work; `end` gives its place back. */
  begin(workspace: string): boolean;
  end(workspace: string): void;
}

export interface WorkspaceSharesOptions {
  /** Tasks of one workspace that are at work together. */
  readonly atOnce: number;
  readonly now: () => number;
}

/** A workspace that had more than its share is over it until it has asked for nothing for so long. */
const quietMs = 1_000;

/**
 * A workspace with more tasks than its share gets no more of them until it pauses: what it hands in meanwhile would only
 * overtake its own earlier tasks, which wait in the overflow, and hold up other workspaces.
 */
export function workspaceShares({ atOnce, now }: WorkspaceSharesOptions): WorkspaceShares {
  const atWork = new Map<string, number>();
  const overUntilMs = new Map<string, number>();

  const isOver = (workspace: string): boolean => {
    const until = overUntilMs.get(workspace);
    if (until === undefined) return (atWork.get(workspace) ?? 0) >= atOnce;
    if (until > now()) return true;
    overUntilMs.delete(workspace);
    return false;
  };

  return {
    begin(workspace) {
      if (isOver(workspace)) {
        overUntilMs.set(workspace, now() + quietMs);
        return false;
      }
      atWork.set(workspace, (atWork.get(workspace) ?? 0) + 1);
      return true;
    },
    end(workspace) {
      const left = (atWork.get(workspace) ?? 0) - 1;
      if (left > 0) atWork.set(workspace, left);
      else atWork.delete(workspace);
    },
  };
}
