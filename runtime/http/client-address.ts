import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/**
 * The address of the client: that of the connection, or what X-Forwarded-For says where the connection comes from a
 * trusted proxy. `trusted`: IP addresses and networks (CIDR). Throws a TypeError where one of them is neither.
 */
export function clientAddressBehind(trusted: readonly string[]): (request: IncomingMessage) => string {
  const trust = proxyAddr.compile([...trusted]);
  return (request) => proxyAddr(request, trust);
}
