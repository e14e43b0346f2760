import { collectorsPart } from './collectors/collectors-part.js';
import { eventsPart } from './events/events-part.js';
import { connectionTestPart } from './integration/connection-test-part.js';
import type { AgentPart } from './part.js';
import { slowLogsPart } from './slowlogs/slow-logs-part.js';
import { traces } from './traces/traces.js';

/** Everything that the agent does, in the order in which it starts. */
export const parts: readonly AgentPart[] = [
  eventsPart,
  traces,
  connectionTestPart,
  collectorsPart,
  slowLogsPart,
];
