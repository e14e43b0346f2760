/** The longest turn of this process's event loop since the last reset. */
export interface TurnMeter {
  /** Milliseconds of processor time. */
  largest(): number;
  reset(): void;
}

/**
 * Meters each turn of the event loop. Node 20 can't tell the processor time of one thread. So a turn counts as the lesser
 * of two figures, neither of which the thread's own time can exceed: the time for which the loop was not idle, which
 * grows where others have the processor, and the processor time of the process, which grows with other threads.
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
    // Unreferenced, it runs at the end of each turn, and causes none.
    setImmediate(look).unref();
  };
  setImmediate(look).unref();
  return { largest: () => largest, reset: () => void (largest = 0) };
}
