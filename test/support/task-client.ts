import { AssertionError } from 'node:assert';
import { Agent, request } from 'node:http';

/** The outcome of one attempt to submit a task. */
type Attempt =
  | { readonly kind: 'accepted'; readonly taskId: string }
  /** No 202 was received: the attempt was refused, cut off, or timed out. The task might still exist. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface TaskClient {
  readonly submit: (
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Attempt>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly status: (
    taskId: string,
  ) => Promise<{ readonly code: number; readonly body: Record<string, unknown> }>;
  readonly close: () => void;
}

interface Answer {
  readonly code: number;
  readonly text: string;
}

/** Whether an edge or agent may answer with this code while something is down. */
export const isOutage = (code: number): boolean => [429, 503, 504].includes(code);

/** Ends the test: during an outage only a refusal is allowed. */
function unexpected({ code, text }: Answer): never {
  throw new AssertionError({ message: `an outage was answered ${code}: ${text}` });
}

/** A client of one edge on a bounded number of kept-alive connections. */
export function taskClient(url: string, key: string, connections: number): TaskClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const call = (
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(
        `${url}${path}`,
        {
          method,
          agent,
          timeout: 120_000,
          headers: {
            authorization: `Bearer ${key}`,
            accept: 'application/json',
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ code: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('timed out')));
      sent.end(body);
    });

  return {
    async submit(path, body, headers) {
      try {
        const answer = await call('POST', path, JSON.stringify(body), headers);
        if (answer.code !== 202 && !isOutage(answer.code)) unexpected(answer);
        if (answer.code !== 202) return { kind: 'failed', reason: `${answer.code} ${answer.text}` };
        return { kind: 'accepted', taskId: (JSON.parse(answer.text) as { task_id: string }).task_id };
      } catch (error) {
        if (error instanceof AssertionError) throw error;
        return { kind: 'failed', reason: String(error) };
      }
    },
    post: (path, body) => call('POST', path, JSON.stringify(body)),
    async status(taskId) {
      const answer = await call('GET', `/api/v1/monitoring/metrics/task/${taskId}/status`);
      return { code: answer.code, body: JSON.parse(answer.text) as Record<string, unknown> };
    },
    close: () => agent.destroy(),
  };
}

/** Submits each attempt to the next edge, like a load balancer. */
export function inTurn(clients: readonly [TaskClient, ...TaskClient[]]): TaskClient {
  const [first] = clients;
  let attempts = 0;
  return {
    ...first,
    submit: (...attempt) => (clients[attempts++ % clients.length] ?? first).submit(...attempt),
  };
}

/** Runs `work` for 0 … count−1, at most `width` at once. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
