import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RejectedItem } from '../ports.js';
import type { AgentDataset } from './dataset.js';

/** What a batch's lines turned out to be. */
export interface ReadItems {
  readonly items: readonly unknown[];
  readonly rejectedCount: number;
  /** The first of them, in order. */
  readonly rejected: readonly RejectedItem[];
}

const reasonsListed = 20;
const longestReason = 500;
const newline = 0x0a;
/** A body of 16 MiB takes a tenth of a second and more: other calls are let in between. */
const turnMs = 5;
const linesPerLook = 64;

/** Reads newline-delimited JSON; blank lines are none. One bad line costs no other. */
export async function readItems(body: Buffer, dataset: AgentDataset, at: number): Promise<ReadItems> {
  const allUtf8 = isUtf8(body);
  const items: unknown[] = [];
  const rejected: RejectedItem[] = [];
  let rejectedCount = 0;
  let index = 0;
  let turnEnds = performance.now() + turnMs;
  for (let start = 0; start < body.length;) {
    const found = body.indexOf(newline, start);
    const end = found === -1 ? body.length : found;
    const line = allUtf8 || isUtf8(body.subarray(start, end)) ? body.toString('utf8', start, end) : undefined;
    start = end + 1;
    if (line?.trim() === '') continue;
    const parsed =
      line === undefined ? { reason: 'The line is not valid UTF-8.' } : parseLine(line, dataset, at);
    if ('item' in parsed) items.push(parsed.item);
    else {
      rejectedCount += 1;
      if (rejected.length < reasonsListed)
        rejected.push({ index, detail: parsed.reason.slice(0, longestReason) });
    }
    index += 1;
    if (index % linesPerLook === 0 && performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    }
  }
  return { items, rejectedCount, rejected };
}

function parseLine(line: string, dataset: AgentDataset, at: number): ReturnType<AgentDataset['parse']> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reason: 'The line is not valid JSON.' };
  }
  return dataset.parse(value, at);
}
