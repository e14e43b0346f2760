import { randomInt } from 'node:crypto';
import { TelltaleError, type ErrorCode } from '../../../runtime/errors.js';
import { languageModelErrors, type LanguageModel } from '../../../runtime/language-model/language-model.js';
import {
  hallucinationCheck,
  type HallucinationOptions,
} from '../metrics/hallucination/hallucination-check.js';
import { Unavailable, type Ask, type Embed } from '../metrics/language-model/ask.js';
import type { Finding, LanguageModelFindings } from '../metrics/language-model/finding.js';
import { needsOf } from '../metrics/language-model/needs.js';
import { injectionTest } from '../metrics/prompt-injection/injection-test.js';
import type { ScoringJob } from '../scoring-job.js';

export interface FindingTools {
  readonly model: LanguageModel;
  readonly embed: Embed;
  readonly options: HallucinationOptions;
}

export interface FindingLimits {
  /** Milliseconds since 1970, for everything together. */
  readonly deadlineMs: number;
  /** Aborted when no caller waits for the findings any more; they are then rejected. */
  readonly signal: AbortSignal;
}

export interface Found {
  readonly findings: LanguageModelFindings;
  /** Why a finding is missing that a later attempt may get; absent if there is no such finding. */
  readonly outage?: string;
}

/** The endpoint is unavailable or too busy. A refusal would be the same next time, so it is none of these. */
const outages = new Set<ErrorCode>(['LLM_NO_ANSWER', 'LLM_BUSY', 'LLM_CIRCUIT_OPEN']);

/** An abandoned call or a bug is not a reason for a missing value. */
function isReason(error: unknown): error is TelltaleError {
  return (
    error instanceof TelltaleError &&
    languageModelErrors.includes(error.code) &&
    error.code !== 'LLM_ABANDONED'
  );
}

/**
 * Asks the language model everything that a job needs: each question once, all at the same time, under one deadline.
 */
export async function findWithLanguageModel(
  job: ScoringJob,
  { model, embed, options }: FindingTools,
  limits: FindingLimits,
): Promise<Found> {
  let outage: string | undefined;
  const ask: Ask = async (messages, asked) => {
    try {
      return await model.complete(messages, { ...asked, ...limits });
    } catch (error) {
      if (!isReason(error)) throw error;
      if (outages.has(error.code)) outage ??= error.message;
      throw new Unavailable(error.message, { cause: error });
    }
  };
  const { prompt, response } = job;
  const needs = needsOf(job.metric, response);
  const [injection, hallucination] = await Promise.all([
    needs.includes('injection') ? injectionTest(prompt, ask, randomInt) : undefined,
    needs.includes('hallucination') && response !== null
      ? hallucinationCheck({ prompt, response }, { ask, embed: inTime(embed, limits) }, options)
      : undefined,
  ]);
  return { findings: findingsOf(injection, hallucination), ...(outage === undefined ? {} : { outage }) };
}

function findingsOf(
  injection: Finding | undefined,
  hallucination: Finding | undefined,
): LanguageModelFindings {
  return {
    ...(injection === undefined ? {} : { injection }),
    ...(hallucination === undefined ? {} : { hallucination }),
  };
}

/** Vectors that arrive after the deadline are useless: the check continues without them. */
function inTime(embed: Embed, { deadlineMs }: FindingLimits): Embed {
  return async (texts) => {
    let expire: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const tooLate = new Unavailable('The embeddings did not arrive before the deadline.');
      expire = setTimeout(
        () => {
          reject(tooLate);
        },
        Math.max(0, Math.min(deadlineMs - Date.now(), 2 ** 31 - 1)),
      );
    });
    try {
      return await Promise.race([embed(texts), late]);
    } finally {
      clearTimeout(expire);
    }
  };
}
