import { sections } from '../../agent/collectors/sections/sections.js';

/** What an agent does once a minute, this one does as often. */
const everySeconds = 5;

/**
 * The CLI, whose agent does not wait for the next minute to look at a cluster again: what is seen from one look to the
 * next takes seconds then. All else is as it is.
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
