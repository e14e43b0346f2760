/** A wait that `wake()` ends early; a call before the wait counts too. */
export interface Wakeable {
  wake(): void;
  /** Resolves at the next `wake()`, or after `ms`. */
  wait(ms?: number): Promise<void>;
}

export function createWakeable(): Wakeable {
  let news = false;
  let release: (() => void) | undefined;
  return {
    wake() {
      news = true;
      release?.();
    },
    async wait(ms) {
      if (!news)
        await new Promise<void>((resolve) => {
          const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      release = undefined;
      news = false;
    },
  };
}
