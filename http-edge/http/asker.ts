import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../../runtime/http/exchange.js';

type Asker = Pick<Exchange, 'workspace' | 'gone'>;

/**
 * The request that the running code answers. Readers share their stores. Each read counts against the
 * workspace that asked, and ends when its client disconnects.
 */
const asker = new AsyncLocalStorage<Asker>();

/** Runs work on behalf of a request. */
export const askedBy = (exchange: Asker, work: () => void): void => asker.run(exchange, work);

/** Runs work whose result many requests share: it belongs to none of them. */
export const askedByNobody = <Value>(work: () => Value): Value => asker.exit(work);

export const currentAsker = (): Asker | undefined => asker.getStore();
