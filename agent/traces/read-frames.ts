import { Problem } from '../../runtime/http/problem.js';
import { readTraces, UnreadableTraces, type ReadTraces } from '../../schemas/otlp/read-request.js';
import type { Frames } from '../component.js';
import { encodeFrames } from '../spool/frame.js';

/** The result of a request: its blocks of spans as frames of the spool, and why other spans were rejected. */
export type ReadFrames = Frames & Omit<ReadTraces, 'blocks'>;

/** Throws a Problem if the body can't be used. */
export function readFrames(body: Buffer, application: string | undefined): ReadFrames {
  const { blocks, ...said } = readOrRefuse(body, application);
  return { ...said, bytes: encodeFrames(blocks), items: blocks.length };
}

function readOrRefuse(body: Buffer, application: string | undefined): ReadTraces {
  try {
    return readTraces(body, application);
  } catch (error) {
    if (error instanceof UnreadableTraces) throw new Problem('malformed-body', error.message);
    throw error;
  }
}
