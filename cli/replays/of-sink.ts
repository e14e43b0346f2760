import type { Sink } from '../../runtime/sink.js';

/** The consumer group of the live sink. */
export const groupOf = ({ name }: Sink): string => `telltale.sink.${name}`;

/** What works on a table has one id, so that there is one at a time: a replay, or a repair. */
export const idOf = ({ name }: Sink): string => `table-${name}`;
