interface Named {
  readonly name: string;
}

/** The consumer group of a processor. */
export const processorGroup = ({ name }: Named): string => `telltale.${name}`;

/** The consumer group of a sink; that of a replay has another name. */
export const sinkGroup = ({ name }: Named): string => `telltale.sink.${name}`;
