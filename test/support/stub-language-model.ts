import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A stub of a server that speaks the chat-completions protocol and misbehaves on command. A real language
 * model can be neither shipped nor made to fail at will.
 */
export interface StubLanguageModel {
  /** The value for LLM_BASE_URL. */
  readonly baseUrl: string;
  /** The requests so far, in the order of arrival. */
  readonly requests: readonly StubRequest[];
  /** The largest number of requests that were open at the same time. */
  readonly mostAtOnce: number;
  /** Sets how to answer from now on; by default each request gets `reply('ok')`. */
  behave(behaviour: Behaviour | ((request: StubRequest) => Behaviour)): void;
  /** Forgets the requests, and restores the default behaviour. */
  reset(): void;
  /** Cuts every connection and closes the port. */
  stop(): Promise<void>;
}

export interface StubRequest {
  /** 0 for the first request. */
  readonly index: number;
  readonly path: string;
  readonly headers: Readonly<IncomingMessage['headers']>;
  readonly body: {
    readonly model?: string;
    readonly temperature?: number;
    readonly max_tokens?: number;
    readonly max_completion_tokens?: number;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  /** The text of the last message. */
  readonly question: string;
}

export type Behaviour =
  | {
      readonly kind: 'reply';
      readonly text: string | null;
      /** `null`: no usage is reported. */
      readonly totalTokens: number | null;
      readonly finish: string;
      readonly afterMs: number;
      readonly contentType: string;
      readonly refusal?: string;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly message: string;
    }
  | { readonly kind: 'raw'; readonly body: string; readonly contentType: string }
  /** Accepts the request and sends nothing; or sends headers and half a body, then nothing. */
  | { readonly kind: 'hang'; readonly where: 'before-headers' | 'in-body' }
  /** Closes the connection, before or during the answer. */
  | { readonly kind: 'cut'; readonly where: 'before-headers' | 'in-body' };

type Reply = Extract<Behaviour, { kind: 'reply' }>;

export const reply = (text: string | null, options: Partial<Reply> = {}): Behaviour => ({
  kind: 'reply',
  text,
  totalTokens: 10,
  finish: 'stop',
  afterMs: 0,
  contentType: 'application/json',
  ...options,
});
export const status = (
  code: number,
  headers: Readonly<Record<string, string>> = {},
  message = 'no',
): Behaviour => ({
  kind: 'status',
  status: code,
  headers,
  message,
});
export const garbage = (body: string, contentType = 'application/json'): Behaviour => ({
  kind: 'raw',
  body,
  contentType,
});
export const hang = (where: 'before-headers' | 'in-body' = 'before-headers'): Behaviour => ({
  kind: 'hang',
  where,
});
export const cut = (where: 'before-headers' | 'in-body' = 'before-headers'): Behaviour => ({
  kind: 'cut',
  where,
});

/** The first behaviours in order, one per request, and the last one for all further requests. */
export function inTurn(
  ...behaviours: readonly [Behaviour, ...Behaviour[]]
): (request: StubRequest) => Behaviour {
  return ({ index }) => behaviours[Math.min(index, behaviours.length - 1)] ?? behaviours[0];
}

/**
 * A sound model: it repeats the string of a control instruction, gives this response to every prompt, and finds every
 * passage accurate.
 */
export function sound(response: string): (request: StubRequest) => Behaviour {
  return ({ question, body }) => {
    const control = /"([A-Z0-9]{8})"/.exec(question)?.[1];
    return reply(control ?? (body.messages.length > 1 ? 'Accurate' : response));
  };
}

const halfAnAnswer = '{"choices":[{"message":{"content":"brok';

function completionOf(request: StubRequest, { text, refusal, totalTokens, finish }: Reply): string {
  return JSON.stringify({
    id: `chatcmpl-${request.index}`,
    object: 'chat.completion',
    model: request.body.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...(refusal === undefined ? {} : { refusal }) },
        finish_reason: finish,
      },
    ],
    ...(totalTokens === null
      ? {}
      : { usage: { prompt_tokens: totalTokens - 1, completion_tokens: 1, total_tokens: totalTokens } }),
  });
}

function answer(response: ServerResponse, request: StubRequest, behaviour: Behaviour): void {
  switch (behaviour.kind) {
    case 'reply':
      setTimeout(() => {
        response.writeHead(200, { 'content-type': behaviour.contentType });
        response.end(completionOf(request, behaviour));
      }, behaviour.afterMs);
      return;
    case 'status':
      response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers });
      response.end(JSON.stringify({ error: { message: behaviour.message, type: 'stub' } }));
      return;
    case 'raw':
      response.writeHead(200, { 'content-type': behaviour.contentType });
      response.end(behaviour.body);
      return;
    case 'hang':
    case 'cut':
      if (behaviour.where === 'in-body') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(halfAnAnswer);
      }
      if (behaviour.kind === 'cut') setImmediate(() => response.socket?.destroy());
  }
}

export async function startStubLanguageModel(): Promise<StubLanguageModel> {
  const requests: StubRequest[] = [];
  let decide: (request: StubRequest) => Behaviour = () => reply('ok');
  let open = 0;
  let mostAtOnce = 0;

  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.once('close', () => (open -= 1));
    const body = JSON.parse((await buffer(incoming)).toString('utf8')) as StubRequest['body'];
    const question = body.messages.at(-1)?.content ?? '';
    const request = {
      index: requests.length,
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      question,
    };
    requests.push(request);
    answer(response, request, decide(request));
  };
  const server = createServer((incoming, response) => {
    take(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    behave(behaviour) {
      decide = typeof behaviour === 'function' ? behaviour : () => behaviour;
    },
    reset() {
      requests.length = 0;
      mostAtOnce = 0;
      decide = () => reply('ok');
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
