import type { ProblemKind } from '../../runtime/http/problem.js';

/** The meaning of a server's answer for its batch. */
export type Verdict =
  | Arrival
  /** Try again soon; `afterMs` if the server has said when. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs?: number }
  /** Nothing at this address accepts it, or not with this key: try again at intervals until that changes. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** `isServers`: the server itself says so, not a proxy in front of it. */
  | { readonly kind: 'too-big'; readonly isServers: boolean; readonly reason: string }
  | { readonly kind: 'never'; readonly reason: string }
  | { readonly kind: 'other-spool'; readonly reason: string };

export interface Arrival {
  readonly kind: 'arrived';
  readonly rejected: number;
  /** The first of the reasons: the server does not list all. */
  readonly reasons: readonly Rejection[];
}

/** An item that the server rejected, although the rest of its batch has arrived. */
interface Rejection {
  readonly index: number;
  readonly detail: string;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** The longest wait that Retry-After can ask for. */
const longestWaitMs = 10 * 60_000;

/**
 * A verdict that ends a batch or counts it as arrived needs the server's own answer: a proxy can answer
 * anything with any status.
 */
export function verdictOn(answer: Answer, now: number): Verdict {
  const { status } = answer;
  if (status === 200) return arrival(answer);
  const reason = reasonIn(answer);
  const problem = problemIn(answer);
  if (problem === 'invalid') return { kind: 'never', reason };
  if (problem === 'conflict') return { kind: 'other-spool', reason };
  if (asksForBatchId(answer))
    return { kind: 'later', reason: `a proxy in front of the server drops the header Batch-Id (${reason})` };
  switch (status) {
    case 413:
      return { kind: 'too-big', isServers: problem === 'body-too-large', reason };
    case 401:
      return { kind: 'blocked', reason: `the server refuses the API key (${reason}): set AGENT_API_KEY` };
    case 403:
      return {
        kind: 'blocked',
        reason: `the API key lacks the scope \`agent\` (${reason}): create one that has it, and set AGENT_API_KEY`,
      };
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const afterMs = retryAfterMs(answer.retryAfter, now);
    return { kind: 'later', reason, ...(afterMs === undefined ? {} : { afterMs }) };
  }
  return {
    kind: 'blocked',
    reason: `there is no server for agents at AGENT_SERVER_URL, a proxy in front of it refuses, or it is older than this agent (${reason})`,
  };
}

/**
 * Whether this is a Telltale server's answer to a batch without an id. It only answers so after accepting the
 * dataset and the key.
 */
export function asksForBatchId({ status, body }: Answer): boolean {
  const { detail } = parsed(body);
  return status === 400 && typeof detail === 'string' && detail.includes('Batch-Id');
}

function arrival({ body }: Answer): Verdict {
  const said = parsed(body);
  if (typeof said['accepted'] !== 'number')
    return {
      kind: 'blocked',
      reason: 'the server at AGENT_SERVER_URL is not a Telltale server (200 without a count)',
    };
  const rejected = Array.isArray(said['rejected']) ? (said['rejected'] as readonly unknown[]) : [];
  const reasons = rejected.flatMap((entry) => (isRejection(entry) ? [entry] : []));
  const count = said['rejected_count'];
  return { kind: 'arrived', rejected: typeof count === 'number' ? count : rejected.length, reasons };
}

function isRejection(entry: unknown): entry is Rejection {
  const { index, detail } = (entry ?? {}) as Partial<Rejection>;
  return Number.isInteger(index) && typeof detail === 'string';
}

/** `Retry-After` is seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(longestWaitMs, Math.max(0, ms));
}

/** The status, and the problem's detail or title if it has one. */
function reasonIn({ status, body }: Answer): string {
  const { detail, title } = parsed(body);
  const said = typeof detail === 'string' ? detail : typeof title === 'string' ? title : undefined;
  return said === undefined ? `${status}` : `${status}: ${said.slice(0, 500)}`;
}

/** The name of the server's own problem; undefined if something else answers. */
function problemIn({ body }: Answer): ProblemKind | undefined {
  const { type } = parsed(body);
  const prefix = 'urn:telltale:problem:';
  return typeof type === 'string' && type.startsWith(prefix)
    ? (type.slice(prefix.length) as ProblemKind)
    : undefined;
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
