import { unescape } from 'node:querystring';
import { eventParameters } from '../../schemas/custom-event.js';

type EventParameter = (typeof eventParameters)[number];

/** The event parameters of a query string, decoded. Other parameters are left out. */
export type EventQuery = Partial<Record<EventParameter, string>> & {
  /** A parameter that was given more than once. */
  readonly repeated?: EventParameter;
};

const known: ReadonlySet<string> = new Set(eventParameters);

/** Undefined if the target has none of the event parameters. */
export function readEventQuery(target: string): EventQuery | undefined {
  let at = target.indexOf('?') + 1;
  if (at === 0) return undefined;
  let query: (EventQuery & { repeated?: EventParameter }) | undefined;
  while (at < target.length) {
    const ampersand = target.indexOf('&', at);
    const end = ampersand === -1 ? target.length : ampersand;
    const equals = target.indexOf('=', at);
    const nameEnd = equals === -1 || equals > end ? end : equals;
    const name = decoded(target.slice(at, nameEnd));
    if (known.has(name)) {
      const parameter = name as EventParameter;
      query ??= {};
      if (query[parameter] !== undefined) query.repeated = parameter;
      query[parameter] = decoded(target.slice(nameEnd + 1, end));
    }
    at = end + 1;
  }
  return query;
}

/** A percent sign that starts no escape is kept: clients that build URLs by hand send `100%`. */
function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  return unescape(text.replaceAll('+', ' '));
}
