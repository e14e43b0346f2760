/** A signal for one call: aborted with the caller's signal, or after a time. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Which of the two it was; undefined before. */
  readonly reason: () => 'timeout' | 'aborted' | undefined;
  /** Releases the timer and the caller's signal, which can live as long as the agent. */
  release(): void;
}

export function deadline(ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  let reason: 'timeout' | 'aborted' | undefined;
  const end = (why: 'timeout' | 'aborted') => (): void => {
    reason ??= why;
    controller.abort();
  };
  const aborted = end('aborted');
  const timer = setTimeout(end('timeout'), ms);
  caller?.addEventListener('abort', aborted, { once: true });
  if (caller?.aborted === true) aborted();
  return {
    signal: controller.signal,
    reason: () => reason,
    release() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', aborted);
    },
  };
}
