/** What a metric may ask of a language model. Deadline and retries are the caller's concern. */
export type Ask = (
  messages: readonly Message[],
  options: {
    readonly temperature: number;
    /** The most tokens of the reply. */
    readonly maxTokens: number;
  },
) => Promise<Reply>;

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface Reply {
  readonly text: string;
  /** Whether it was cut off at `maxTokens`. */
  readonly truncated: boolean;
  /** The cost of the call as the model reports it; null if it does not. */
  readonly totalTokens: number | null;
}

/** One vector for each text, in their order. */
export type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

/**
 * `Ask` and `Embed` reject with this if there is no answer; the message is the reason that clients read. Any
 * other error is a bug, and is passed through.
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

/**
 * The reply without the thoughts that some models put between `<think>` tags; empty if they never end. A chat
 * template may have written the opening tag already: then everything up to a closing tag is thoughts.
 */
export function withoutThoughts(text: string): string {
  const begin = /<think(?:ing)?>/i.exec(text);
  const end = /<\/think(?:ing)?>/i.exec(text);
  const begins = begin !== null && text.slice(0, begin.index).trim() === '';
  if (end === null) return begins ? '' : text;
  const isOpen = begins || begin === null || end.index < begin.index;
  return isOpen ? text.slice(end.index + end[0].length) : text;
}
