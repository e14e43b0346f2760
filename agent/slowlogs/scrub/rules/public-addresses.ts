import type { Rule } from '../view.js';
import { matchesOf } from './matches.js';

/**
 * IPv4 addresses that lead to somebody: those of private, reserved and documentation networks (RFC 6890) do not. A port
 * goes with its address.
 */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const address = new RegExp(
  String.raw`(?<![\w.-])${octet}(?:\.${octet}){3}(?![\w-]|\.\d)(?::\d{1,5}(?!\d))?`,
  'g',
);
const reserved =
  /^(?:0|10|127|169\.254|192\.168|192\.0\.[02]|198\.51\.100|203\.0\.113|198\.1[89]|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|23\d|24\d|25[0-5])\./;

/** Four numbers behind this word are no address. */
const version = /version\W{1,6}$/i;
const versionAtMost = 13;

export const publicAddresses: Rule = {
  name: 'public-addresses',
  find: (view) =>
    matchesOf(
      view,
      address,
      ({ 0: text, index, input }) =>
        !reserved.test(text) && !version.test(input.slice(Math.max(0, index - versionAtMost), index)),
    ),
};
