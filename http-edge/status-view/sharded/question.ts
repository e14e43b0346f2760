/** What is asked of a task, of whoever keeps the partition. */
export interface StatusQuestion {
  readonly taskId: string;
  /** Only this workspace's task is told, as whoever reads a status is; undefined: whosever it is, as for repeated requests. */
  readonly workspace: string | undefined;
}

/** An edge that does not keep the partition, or not yet, or no more: another one may. */
export class NotKept extends Error {
  constructor(partition: number) {
    super(`partition ${partition} is not kept here`);
    this.name = 'NotKept';
  }
}
