import type { Sink } from '../../runtime/sink.js';

/** The consumer group of the live sink. */
export const groupOf = ({ name }: Sink): string => `telltale.sink.${name}`;
