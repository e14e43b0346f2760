/** Lets one thing be done at a time, in the order in which it was asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves as `act` does, once its turn has come and it is done; an act that fails holds up none behind it. */
  take<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
