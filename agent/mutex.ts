/** Lets one thing be done at a time, in the order in which it was asked for. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves as `act` does, once it has run; an act that fails holds up none behind it. */
  run<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.last.then(act);
    this.last = done.catch(() => undefined);
    return done;
  }
}
