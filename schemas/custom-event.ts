import { isoMicros } from './iso-time.js';
import { maxAgeDays } from './max-age.js';
import { isLongerThan } from './text-length.js';

export const eventTypes = [
  'increment',
  'decrement',
  'distribution',
  'gauge',
  'percentage',
  'systembyte',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The parameters of an event in a query string. */
export const eventParameters = ['apiKey', 'metric', 'type', 'value', 'cluster'] as const;

/** An event as an application reported it. */
export interface ReportedEvent {
  readonly metric: string;
  readonly type: EventType;
  /** A finite number. */
  readonly value: number;
  readonly cluster: string | null;
  /** Microseconds since 1970; null if the client sent none. */
  readonly occurredAt: number | null;
}

/** What is wrong with one field, and what to do about it. Quotes nothing from the request. */
export interface EventFault {
  readonly field: 'metric' | 'type' | 'value' | 'cluster' | 'timestamp';
  readonly detail: string;
}

export type EventReading =
  | { readonly kind: 'event'; readonly event: ReportedEvent }
  | { readonly kind: 'faults'; readonly faults: readonly EventFault[] };

/** Fields as sent; each can be missing or of any type. */
export interface EventFields {
  readonly metric?: unknown;
  readonly type?: unknown;
  readonly value?: unknown;
  readonly cluster?: unknown;
  readonly timestamp?: unknown;
}

export interface ReadingOptions {
  /** When it was taken, in microseconds since 1970. Timestamps outside the retention time are refused. */
  readonly at: number;
  /** Increments and decrements without a value count one, as in the client libraries. */
  readonly defaultStep: boolean;
}

export const longestName = 255;

/** The most events per request. */
export const mostEvents = 1_000;

const dayMicros = 86_400_000_000;
/** Clocks are off by at most a time zone; an event further in the future would never be seen. */
const aheadDays = 1;

const types: ReadonlySet<unknown> = new Set(eventTypes);

/** Checks one event. Null counts as absent, unknown fields are ignored, lone surrogates become U+FFFD. */
export function readEvent(fields: EventFields, options: ReadingOptions): EventReading {
  const faults: EventFault[] = [];
  const metric = nameOf('metric', fields.metric, faults);
  if (metric === null && faults.length === 0)
    faults.push({ field: 'metric', detail: '`metric` is missing or empty. Name the metric.' });
  const type = typeOf(fields.type, faults);
  const value = valueOf(fields.value, type, options.defaultStep, faults);
  const cluster = nameOf('cluster', fields.cluster, faults);
  const occurredAt = timestampOf(fields.timestamp, options.at, faults);
  if (faults.length > 0 || metric === null || type === undefined) return { kind: 'faults', faults };
  return { kind: 'event', event: { metric, type, value, cluster, occurredAt } };
}

/** Null if absent, empty or wrong; a wrong value adds a fault. */
function nameOf(field: 'metric' | 'cluster', value: unknown, faults: EventFault[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') {
    faults.push({ field, detail: `\`${field}\` must be a string.` });
    return null;
  }
  if (isLongerThan(value, longestName)) {
    faults.push({ field, detail: `\`${field}\` is longer than ${longestName} characters. Shorten it.` });
    return null;
  }
  return value.trim() === '' ? null : value.toWellFormed();
}

function typeOf(value: unknown, faults: EventFault[]): EventType | undefined {
  if (types.has(value)) return value as EventType;
  const wrong = value === undefined || value === null ? 'is missing' : 'is not known';
  faults.push({ field: 'type', detail: `\`type\` ${wrong}. Send one of ${eventTypes.join(', ')}.` });
  return undefined;
}

function valueOf(
  value: unknown,
  type: EventType | undefined,
  defaultStep: boolean,
  faults: EventFault[],
): number {
  const fault = (detail: string): number => {
    faults.push({ field: 'value', detail });
    return Number.NaN;
  };
  if (value === undefined || value === null) {
    if (defaultStep && (type === 'increment' || type === 'decrement')) return 1;
    return fault('`value` is missing. Send a number.');
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return fault('`value` must be a finite number.');
  if (type === 'percentage' && (value < 0 || value > 100))
    return fault('`value` of a percentage must lie in 0..100.');
  if (type === 'systembyte' && value < 0) return fault('`value` of a systembyte must not be negative.');
  return value;
}

function timestampOf(value: unknown, at: number, faults: EventFault[]): number | null {
  if (value === undefined || value === null) return null;
  const micros = typeof value === 'string' ? isoMicros(value) : undefined;
  if (micros === undefined) {
    const detail = '`timestamp` must be a timestamp in ISO 8601, like 2026-01-31T12:00:00.000Z.';
    faults.push({ field: 'timestamp', detail });
    return null;
  }
  if (micros >= at - maxAgeDays * dayMicros && micros <= at + aheadDays * dayMicros) return micros;
  const detail = `\`timestamp\` lies more than ${maxAgeDays} days in the past or a day in the future. Check the clock.`;
  faults.push({ field: 'timestamp', detail });
  return null;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A number from a query string. Spaces are read as plus signs, because an unescaped `+` becomes a space, as
 * in `1e+06` from a C library. NaN if the text is not a decimal number.
 */
export function numberFromQuery(text: string): number {
  const number = text.replaceAll(' ', '+');
  return decimal.test(number) ? Number(number) : Number.NaN;
}
