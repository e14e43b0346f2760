import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** A host of RFC 3986 (3.2.2), empty or not, and perhaps a port. A comma is left out: it is two values in one. */
const authority = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

export function hasHostForm(text: string): boolean {
  return authority.test(text);
}

/** What a server listens on to be reached by every address; nobody's name, and yet a browser connects to it. */
const anyAddress: readonly string[] = ['0.0.0.0', '::'];

/**
 * Throws the 421 of a request for another host than this machine's loopback names, the address that the connection came
 * to, and `names`. A web page whose own name is made to point here (DNS rebinding) is stopped by this, as its browser
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

/** Whether the client is a program of this machine that asks for it as such, with nothing in between that says so. */
export function isLoopbackRequest(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  return (
    isLoopback(addressOf(socket.remoteAddress)) &&
    hostsOf(request).every((host) => isLoopback(hostName(host))) &&
    !['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => name in headers)
  );
}

/** Whether only programs of this machine reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** What the request says that it is for: a target with a host of its own (RFC 9112, absolute-form) says it too. */
function hostsOf({ url = '', headers }: IncomingMessage): readonly string[] {
  const inTarget = url.startsWith('/') || !URL.canParse(url) ? [] : [new URL(url).host];
  return headers.host === undefined ? inTarget : [headers.host, ...inTarget];
}

/** Without port and brackets, in lower case. */
function hostName(host: string): string {
  return (authority.exec(host)?.[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase();
}

/** Node gives an IPv4 address of a socket for both families as `::ffff:127.0.0.1`. */
function addressOf(address = ''): string {
  return address.replace(/^::ffff:/, '').toLowerCase();
}
