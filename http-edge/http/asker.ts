import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../../runtime/http/exchange.js';

type Asker = Pick<Exchange, 'workspace' | 'gone'>;

/**
 * The request that the running code answers. Readers share their stores, and each of their reads counts as the
 * workspace's that asked, and ends when its client goes away.
 */
const asker = new AsyncLocalStorage<Asker>();

/** Runs a request's work as asked by it. */
export const askedBy = (exchange: Asker, work: () => void): void => asker.run(exchange, work);

/** What many requests share the answer of is asked by none of them. */
export const askedByNobody = <Value>(work: () => Value): Value => asker.exit(work);

export const currentAsker = (): Asker | undefined => asker.getStore();
