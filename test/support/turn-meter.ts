/** The longest turn of this process's event loop since the last reset. */
export interface TurnMeter {
  /** Milliseconds of processor time. */
  largest(): number;
  reset(): void;
}

/**
 * Meters each turn of the event loop. Node 20 has no processor time per thread, so a turn counts as the
 * smaller of two upper bounds of it: the loop's active time, which grows while other processes have the
 * processor, and the processor time of the process, which grows with other threads.
 */
export function meterTurns(): TurnMeter {
  let largest = 0;
  let loop = performance.eventLoopUtilization();
  let process_ = process.cpuUsage();
  const look = (): void => {
    const { active } = performance.eventLoopUtilization(loop);
    const { user, system } = process.cpuUsage(process_);
    largest = Math.max(largest, Math.min(active, (user + system) / 1_000));
    loop = performance.eventLoopUtilization();
    process_ = process.cpuUsage();
    // Unreferenced, so it runs at the end of each turn without causing one.
    setImmediate(look).unref();
  };
  setImmediate(look).unref();
  return { largest: () => largest, reset: () => void (largest = 0) };
}
