import { z } from 'zod';
import { agentsPath } from './agent-report.js';
import { isLongerThan } from './text-length.js';

/** The `kind` of a question for hot threads; also in the `answers` of reports from agents that support it. */
export const hotThreadsKind = 'hot-threads';

/** The path for an agent's answer: POST with the scope `agent`. */
export const hotThreadsAnswerPath = `${agentsPath}/hot-threads`;

/** The most characters of the text. An agent cuts a longer one. */
export const longestHotThreads = 262_144;
/** The most characters of the agent's message; also of its host's name and of the ids. */
export const longestMessage = 1_000;
export const longestHost = 255;
export const longestId = 64;

const textOf = (longest: number) =>
  z.string().refine((text) => !isLongerThan(text, longest), `must have at most ${longest} characters`);

/** The edge's questions to an agent, in its answer to a report. An agent ignores the kinds that it does not know. */
export const askedOfAgent = z.object({
  asked: z.array(z.object({ kind: z.string(), question_id: z.string(), cluster_uuid: z.string() })),
});

export type AskedOfAgent = z.output<typeof askedOfAgent>;

export const hotThreadsAnswer = z.object({
  question_id: textOf(longestId),
  cluster_uuid: textOf(longestId),
  host: textOf(longestHost),
  /** Null if they could not be read: `message` says why. */
  hot_threads: textOf(longestHotThreads).nullable(),
  message: textOf(longestMessage),
});

export type HotThreadsAnswer = z.output<typeof hotThreadsAnswer>;
