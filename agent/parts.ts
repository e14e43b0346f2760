import { eventsPart } from './events/events-part.js';
import type { AgentPart } from './part.js';

/** Everything that the agent does, in the order in which it starts. */
export const parts: readonly AgentPart[] = [eventsPart];
