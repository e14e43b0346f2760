/** A question about a task, for an edge that keeps its partition. */
export interface StatusQuestion {
  readonly taskId: string;
  /** Asks only about a task of this workspace. Undefined: of any workspace, as for repeated requests. */
  readonly workspace: string | undefined;
}

/** This edge does not keep the partition (yet or any longer) or the requested result. Another might. */
export class NotKept extends Error {
  constructor(partition: number) {
    super(`partition ${partition} is not kept here`);
    this.name = 'NotKept';
  }
}

/** The edge is alive, but could not ask Kafka: no reason to acquire what it owns. */
export class KafkaAwayThere extends Error {
  constructor(url: string) {
    super(`${url} gets no answer from Kafka`);
    this.name = 'KafkaAwayThere';
  }
}
