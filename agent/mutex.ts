/** Runs one act at a time, in the order of the calls. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves as `act` does, once it has run; an act that fails does not stop the next one. */
  run<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.last.then(act);
    this.last = done.catch(() => undefined);
    return done;
  }
}
