import { sections } from '../../agent/collectors/sections/sections.js';
import { createSlowLogsComponent, slowLogsComponent } from '../../agent/slowlogs/slow-logs-component.js';

/** The interval of work that an agent normally does once per minute. */
const everySeconds = 5;

/**
 * The CLI with an agent that collects from clusters, and reads their slow logs, every few seconds instead of
 * every minute, so that changes appear in seconds. Everything else is unchanged.
 */
Object.assign(slowLogsComponent, createSlowLogsComponent(everySeconds * 1_000));
for (const section of sections) {
  const { intervalSeconds } = section;
  Object.assign(section, {
    intervalSeconds: (settings: Parameters<typeof intervalSeconds>[0]) => {
      const seconds = intervalSeconds(settings);
      return seconds === 60 ? everySeconds : seconds;
    },
  });
}
await import('../../cli/telltale.js');
