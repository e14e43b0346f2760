/** What a metric may ask of a language model, and nothing more: whoever passes it in sees to deadline and retries. */
export type Ask = (
  messages: readonly Message[],
  options: {
    readonly temperature: number;
    /** Bound of the reply, in tokens. */
    readonly maxTokens: number;
  },
) => Promise<Reply>;

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface Reply {
  readonly text: string;
  /** Cut at the bound. */
  readonly truncated: boolean;
  /** What the model says the call cost; null where it does not say. */
  readonly totalTokens: number | null;
}

/** One vector a text, in the order of the texts. */
export type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

/**
 * What `Ask` and `Embed` reject with where there is no answer to be had; the message is the reason that clients read.
 * Anything else is a mistake in the program, and passes through.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The value, or why there is none. */
export type Attempted<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

export async function attempted<Value>(work: Promise<Value>): Promise<Attempted<Value>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (error instanceof Unavailable) return { ok: false, reason: error.message };
    throw error;
  }
}

/** The reply without the thoughts that some models send along between `<think>` tags; nothing where they never end. */
export function withoutThoughts(text: string): string {
  const begun = /^\s*<think(?:ing)?>/i.exec(text);
  if (begun === null) return text;
  const end = /<\/think(?:ing)?>/i.exec(text);
  return end === null ? '' : text.slice(end.index + end[0].length);
}
