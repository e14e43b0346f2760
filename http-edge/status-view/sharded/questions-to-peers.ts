import type { PeerClient } from '../../peers/peer-client.js';
import type { PeerRoute } from '../../peers/peer-listener.js';
import { KafkaAwayThere, NotKept, type StatusQuestion } from './question.js';
import type { StatusShards } from './status-shards.js';

/** Paths and statuses between edges. Not a part of the API: all edges run the same version. */
const answers = { entry: 200, none: 204, notKept: 409, outage: 503 } as const;

/** The entry, or undefined if there is none. Rejects with NotKept, KafkaAwayThere or NoAnswerInTime. */
export async function askPeer(
  client: PeerClient,
  url: string,
  partition: number,
  question: StatusQuestion,
): Promise<Buffer | undefined> {
  const { status, body } = await client.send(url, questionPath(partition, question));
  if (status === answers.entry) return body;
  if (status === answers.none) return undefined;
  if (status === answers.notKept) throw new NotKept(partition);
  if (status === answers.outage) throw new KafkaAwayThere(url);
  throw new Error(`${url} answered ${status}`);
}

/** Whether the edge keeps all of the partition. */
export async function peerKeeps(client: PeerClient, url: string, partition: number): Promise<boolean> {
  return (await client.send(url, keptPath(partition))).status === answers.none;
}

/** Answers about what this edge keeps. */
export const answerFrom =
  (shards: StatusShards): PeerRoute =>
  (path, body) => {
    const asked = body === undefined ? askedBy(path) : undefined;
    return asked && answerAbout(shards, asked);
  };

async function answerAbout(
  shards: StatusShards,
  { partition, question }: Asked,
): Promise<{ readonly status: number; readonly body?: Buffer }> {
  if (!shards.isCaughtUp(partition)) return { status: answers.notKept };
  if (question === undefined) return { status: answers.none };
  try {
    const entry = await shards.wholeAnswer(partition, question);
    return entry === undefined ? { status: answers.none } : { status: answers.entry, body: entry };
  } catch (error) {
    if (error instanceof NotKept) return { status: answers.notKept };
    throw error;
  }
}

export function questionPath(partition: number, { taskId, workspace }: StatusQuestion): string {
  const scope = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  return `${keptPath(partition)}/tasks/${encodeURIComponent(taskId)}${scope}`;
}

/** Answers 204 if the whole partition is kept. */
export function keptPath(partition: number): string {
  return `/partitions/${partition}`;
}

interface Asked {
  readonly partition: number;
  readonly question?: StatusQuestion;
}

/** Undefined if the path is not a question to an edge. */
export function askedBy(target: string): Asked | undefined {
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
