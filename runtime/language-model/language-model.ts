import type { ErrorCode } from '../errors.js';

/**
 * A language model as the stages see it. Implementations retry, queue and give up by themselves; whoever asks only
 * says until when an answer is of use.
 */
export interface LanguageModel {
  /**
   * Answers a conversation, or rejects with one of `languageModelErrors` before `deadlineMs` has passed by more than
   * a scheduling delay, whatever the endpoint does.
   */
  complete(messages: readonly ChatMessage[], options: CompletionOptions): Promise<Completion>;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface CompletionOptions {
  readonly temperature: number;
  /** Bound of the reply's length, in tokens. */
  readonly maxTokens: number;
  /** Milliseconds since 1970; covers queueing, every attempt, and the pauses between them. */
  readonly deadlineMs: number;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: AbortSignal;
}

export interface Completion {
  /** The reply as it came; may be empty. */
  readonly text: string;
  /** The reply was cut at the token bound. */
  readonly truncated: boolean;
  /** What the endpoint says the call cost, or null where it does not say. */
  readonly totalTokens: number | null;
}

/** What `complete` rejects with. */
export const languageModelErrors: readonly ErrorCode[] = [
  'LLM_NO_ANSWER',
  'LLM_BUSY',
  'LLM_CIRCUIT_OPEN',
  'LLM_REFUSED',
  'LLM_ABANDONED',
];
