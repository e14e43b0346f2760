import type { ErrorCode } from '../errors.js';

/**
 * A language model as the stages use it. Implementations retry, queue and give up by themselves. A caller
 * only says how long an answer is useful.
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
  /** Limit of the reply's length, in tokens. */
  readonly maxTokens: number;
  /** Milliseconds since 1970; covers queueing, every attempt, and the pauses between them. */
  readonly deadlineMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

export interface Completion {
  /** The reply, unchanged; can be empty. */
  readonly text: string;
  /** The reply was cut off at the token limit. */
  readonly truncated: boolean;
  /** The cost of the call as the endpoint reports it, or null if it does not. */
  readonly totalTokens: number | null;
}

/** The codes with which `complete` rejects. */
export const languageModelErrors: readonly ErrorCode[] = [
  'LLM_NO_ANSWER',
  'LLM_BUSY',
  'LLM_CIRCUIT_OPEN',
  'LLM_REFUSED',
  'LLM_ABANDONED',
];
