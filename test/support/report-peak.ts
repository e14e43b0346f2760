import { writeFileSync } from 'node:fs';

/**
 * Loaded before a process's own entry (`node --import`): writes the most memory that the whole process has ever taken, in
 * megabytes, to the file that PEAK_FILE names, as its last deed.
 */
process.on('exit', () => {
  // Kilobytes on Linux and macOS alike (libuv).
  writeFileSync(process.env['PEAK_FILE'] ?? '', String(Math.round(process.resourceUsage().maxRSS / 1_024)));
});
