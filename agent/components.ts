import { collectorsComponent } from './collectors/collectors-component.js';
import { eventsComponent } from './events/events-component.js';
import { connectionTestComponent } from './integration/connection-test-component.js';
import type { AgentComponent } from './component.js';
import { slowLogsComponent } from './slowlogs/slow-logs-component.js';
import { traces } from './traces/traces.js';

/** Everything that the agent does, in the order in which it starts. */
export const components: readonly AgentComponent[] = [
  eventsComponent,
  traces,
  connectionTestComponent,
  collectorsComponent,
  slowLogsComponent,
];
