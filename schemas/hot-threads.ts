import { z } from 'zod';
import { agentsPath } from './agent-report.js';
import { isLongerThan } from './text-length.js';

/** What an agent that can be asked for hot threads has among the `answers` of its report, and the `kind` of the question. */
export const hotThreadsKind = 'hot-threads';

/** Where an agent answers: POST with the scope `agent`. */
export const hotThreadsAnswerPath = `${agentsPath}/hot-threads`;

/** Of the text, in characters. An agent cuts a longer one. */
export const longestHotThreads = 262_144;
/** Of what the agent says of it, of the name of its host, and of either id. */
export const longestMessage = 1_000;
export const longestHost = 255;
export const longestId = 64;

const textOf = (longest: number) =>
  z.string().refine((text) => !isLongerThan(text, longest), `must have at most ${longest} characters`);

/** What the edge asks an agent, in its answer to a report. An agent leaves out the kinds that it does not know. */
export const askedOfAgent = z.object({
  asked: z.array(z.object({ kind: z.string(), question_id: z.string(), cluster_uuid: z.string() })),
});

export type AskedOfAgent = z.output<typeof askedOfAgent>;

export const hotThreadsAnswer = z.object({
  question_id: textOf(longestId),
  cluster_uuid: textOf(longestId),
  host: textOf(longestHost),
  /** Null where they were not to be had: `message` says why. */
  hot_threads: textOf(longestHotThreads).nullable(),
  message: textOf(longestMessage),
});

export type HotThreadsAnswer = z.output<typeof hotThreadsAnswer>;
