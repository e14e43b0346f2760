import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** A host of RFC 3986 (3.2.2), empty or not, with an optional port. A comma is excluded: it separates two values. */
const authority = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

export function hasHostForm(text: string): boolean {
  return authority.test(text);
}

/** A server that listens on these is reachable at every address. They name no host, yet browsers connect. */
const anyAddress: readonly string[] = ['0.0.0.0', '::'];

/**
 * Throws a 421 for a request to a host other than this machine's loopback names, the address that the connection came
 * to, and `names`. This stops a web page whose own name resolves to this machine (DNS rebinding), because its browser
 * sends that name. HTTP/1.0 may leave the host out, which no browser does.
 */
export function requireOwnHost(request: IncomingMessage, names: readonly string[]): void {
  for (const host of hostsOf(request)) {
    const name = hostName(host);
    if (isLoopback(name) || name === addressOf(request.socket.localAddress)) continue;
    if (names.includes(name) && !anyAddress.includes(name)) continue;
    throw new Problem('misdirected', 'This server does not answer to the name in the Host header.');
  }
}

/** Whether a program on this machine asks for a loopback name, and no header shows a proxy in between. */
export function isLoopbackRequest(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  return (
    isLoopback(addressOf(socket.remoteAddress)) &&
    hostsOf(request).every((host) => isLoopback(hostName(host))) &&
    !['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => name in headers)
  );
}

/** Whether only programs on this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The hosts that the request names: a target in absolute-form (RFC 9112) names one too. */
function hostsOf({ url = '', headers }: IncomingMessage): readonly string[] {
  const inTarget = url.startsWith('/') || !URL.canParse(url) ? [] : [new URL(url).host];
  return headers.host === undefined ? inTarget : [headers.host, ...inTarget];
}

/** Without port and brackets, in lower case. */
function hostName(host: string): string {
  return (authority.exec(host)?.[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase();
}

/** On a dual-stack socket Node gives an IPv4 address as `::ffff:127.0.0.1`. */
function addressOf(address = ''): string {
  return address.replace(/^::ffff:/, '').toLowerCase();
}
