/** A question about a task, for an edge that keeps its partition. */
export interface StatusQuestion {
  readonly taskId: string;
  /** Answers only about a task of this workspace; undefined: of any workspace, as for repeated requests. */
  readonly workspace: string | undefined;
}

/** This edge does not keep the partition, not yet or no longer, or not the result that is asked for: another one may. */
export class NotKept extends Error {
  constructor(partition: number) {
    super(`partition ${partition} is not kept here`);
    this.name = 'NotKept';
  }
}

/** The edge lives, and could not ask Kafka: no reason to take over what it owns. */
export class KafkaAwayThere extends Error {
  constructor(url: string) {
    super(`${url} gets no answer from Kafka`);
    this.name = 'KafkaAwayThere';
  }
}
