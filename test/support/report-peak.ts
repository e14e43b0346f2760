import { writeFileSync } from 'node:fs';

/**
 * Loaded before a process's own entry (`node --import`): on exit it writes the peak memory of the whole process, in
 * megabytes, to the file that PEAK_FILE names.
 */
process.on('exit', () => {
  // Kilobytes on Linux and macOS alike (libuv).
  writeFileSync(process.env['PEAK_FILE'] ?? '', String(Math.round(process.resourceUsage().maxRSS / 1_024)));
});
