import { sections } from '../../agent/collectors/sections/sections.js';

/** The interval of work that an agent does once a minute. */
const everySeconds = 5;

/**
 * The CLI with an agent that collects from clusters every few seconds instead of every minute, so that changes between
 * two snapshots are seen in seconds. All else is unchanged.
 */
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
