import type { StatusQuestion } from './question.js';

/** HTTP between edges: two paths, and statuses that tell all. Not a part of the API: all edges run the same version. */
export const peerAnswers = { entry: 200, none: 204, notKept: 409 } as const;

export function questionPath(partition: number, { taskId, workspace }: StatusQuestion): string {
  const scope = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  return `${keptPath(partition)}/tasks/${encodeURIComponent(taskId)}${scope}`;
}

/** Answers 204 where all of the partition is kept. */
export function keptPath(partition: number): string {
  return `/partitions/${partition}`;
}

/** Undefined where the path asks nothing that an edge answers. */
export function askedBy(
  target: string,
): { readonly partition: number; readonly question?: StatusQuestion } | undefined {
  const found = /^\/partitions\/(\d{1,9})(?:\/tasks\/([^/?]+)(?:\?workspace=([^&]*))?)?$/.exec(target);
  if (found === null) return undefined;
  const [, partition, taskId, workspace] = found;
  if (taskId === undefined) return { partition: Number(partition) };
  return {
    partition: Number(partition),
    question: {
      taskId: decodeURIComponent(taskId),
      workspace: workspace === undefined ? undefined : decodeURIComponent(workspace),
    },
  };
}
