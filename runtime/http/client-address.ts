import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/**
 * The client's address: that of the connection, or the one in X-Forwarded-For if the connection comes from a
 * trusted proxy. `trusted`: IP addresses and networks (CIDR). Throws a TypeError if one of them is neither.
 */
export function clientAddressBehind(trusted: readonly string[]): (request: IncomingMessage) => string {
  const trust = proxyAddr.compile([...trusted]);
  return (request) => proxyAddr(request, trust);
}
