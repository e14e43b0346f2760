import type { Coordinator, Reached } from './coordinator.js';

/**
 * Whether the last transaction of a producer may lack an end in some partition: a coordinator that went away after it had
 * decided the end, and came back, may have left it out (recover-hanging-transaction.ts).
 */
export class LastEnd {
  /** How the coordinator was reached before it was asked for the end; undefined where no end is missing. */
  private over: Reached | undefined;
  private settling = Promise.resolve();

  constructor(
    private readonly coordinator: Coordinator,
    private readonly recover: () => Promise<void>,
    private readonly closed: AbortSignal,
  ) {}

  /** The coordinator is about to be asked for the end. */
  begin(): void {
    this.forget();
    this.over = this.coordinator.reached;
    this.over.socket?.once('close', this.settleSoon);
  }

  /** Resolves once no end is missing. */
  settle(): Promise<void> {
    const look = (): Promise<void> => this.look();
    return (this.settling = this.settling.then(look, look));
  }

  /** Where it fails, the next `settle` looks again. */
  readonly settleSoon = (): void => void this.settle().catch(() => undefined);

  forget(): void {
    this.over?.socket?.off('close', this.settleSoon);
    this.over = undefined;
  }

  private async look(): Promise<void> {
    if (this.closed.aborted || this.over === undefined || this.coordinator.isReachedSince(this.over)) return;
    await this.recover();
    this.over = undefined;
  }
}
