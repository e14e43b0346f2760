import { writeFileSync } from 'node:fs';

/**
 * Loaded before a process's own entry (`node --import`): on exit it writes the process's peak memory, in
 * megabytes, to the file named by PEAK_FILE.
 */
process.on('exit', () => {
  // Kilobytes on both Linux and macOS (libuv).
  writeFileSync(process.env['PEAK_FILE'] ?? '', String(Math.round(process.resourceUsage().maxRSS / 1_024)));
});
