import { isoMicroseconds } from '../../runtime/clock.js';
import { Problem, type FieldError } from '../../runtime/http/problem.js';
import { mostEvents, numberFromQuery, readEvent, type ReportedEvent } from '../../schemas/custom-event.js';

/** An event for the server, with the time at which the agent took it, because the server gets it later. */
export interface EventItem {
  readonly metric: string;
  readonly type: string;
  readonly value: number;
  readonly cluster?: string;
  readonly timestamp: string;
}

/**
 * The events of a body: one object, or an array of them; all are taken, or none. Throws a Problem that names every
 * fault.
 */
export function eventsOfBody(body: unknown, at: number): readonly EventItem[] {
  const isArray = Array.isArray(body);
  const given: readonly unknown[] = isArray ? (body as readonly unknown[]) : [body];
  if (given.length > mostEvents)
    throw invalid([{ pointer: '', detail: `The array has more than ${mostEvents} events. Send several.` }]);
  const errors: FieldError[] = [];
  const items: EventItem[] = [];
  for (const [index, fields] of given.entries()) {
    const pointer = isArray ? `/${index}` : '';
    const reading = eventOf(fields, at);
    if ('item' in reading) items.push(reading.item);
    else
      errors.push(
        ...reading.errors.map(({ pointer: field, detail }) => ({ pointer: pointer + field, detail })),
      );
  }
  if (errors.length > 0) throw invalid(errors);
  return items;
}

/** The event of a query string, as existing libraries send it: the type as `method`, or as `type`. */
export function eventOfQuery(query: URLSearchParams, at: number): EventItem {
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const value = text('value');
  const reading = eventOf(
    {
      metric: text('metric'),
      type: text('type') || text('method'),
      value: value === undefined || value === '' ? undefined : numberFromQuery(value),
      cluster: text('cluster'),
      timestamp: text('timestamp'),
    },
    at,
  );
  if ('item' in reading) return reading.item;
  throw invalid(reading.errors);
}

/** Whether a query string contains an event. */
export function holdsEvent(query: URLSearchParams): boolean {
  return ['method', 'type', 'metric', 'value'].some((name) => query.has(name));
}

type Reading = { readonly item: EventItem } | { readonly errors: readonly FieldError[] };

function eventOf(fields: unknown, at: number): Reading {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return { errors: [{ pointer: '', detail: 'An event must be a JSON object.' }] };
  const reading = readEvent(fields, { at, defaultStep: true });
  if (reading.kind === 'event') return { item: itemOf(reading.event, at) };
  return { errors: reading.faults.map(({ field, detail }) => ({ pointer: `/${field}`, detail })) };
}

function itemOf({ metric, type, value, cluster, occurredAt }: ReportedEvent, at: number): EventItem {
  return {
    metric,
    type,
    value,
    ...(cluster === null ? {} : { cluster }),
    timestamp: isoMicroseconds(occurredAt ?? at),
  };
}

function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Problem('invalid', `${first?.detail ?? 'The event is not valid.'}${rest}`, {
    errors: errors.slice(0, 100),
  });
}
