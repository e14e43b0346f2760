import { hash } from 'node:crypto';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem, type FieldError } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import {
  mostEvents,
  numberFromQuery,
  readEvent,
  type EventFault,
  type ReportedEvent,
} from '../../schemas/custom-event.js';
import { idempotentIds } from '../scoring/idempotency.js';
import type { Admission } from '../http/admission.js';
import { htmlMediaType, pageHeaders } from '../pages/html.js';
import type { EventLog } from '../ports.js';
import { readEventQuery, type EventQuery } from './event-query.js';
import { toCustomEvent, type EventContext } from './event-record.js';

export interface EventDependencies {
  readonly events: EventLog;
  readonly admission: Admission;
  readonly bodyLimit: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const accepted = '{"status":"accepted"}';
const maxReportedErrors = 5;
const errorsListed = 100;

/** `GET /?apiKey=…` with one custom event, and `POST /` with an array of them. */
export function eventRoutes(dependencies: EventDependencies): readonly Route[] {
  return [
    { method: 'GET', pattern: '/', handle: (exchange) => takeEvent(exchange, dependencies) },
    { method: 'POST', pattern: '/', handle: (exchange) => takeEvents(exchange, dependencies) },
  ];
}

function takeEvent(exchange: Exchange, dependencies: EventDependencies): void | Promise<void> {
  const query = readEventQuery(exchange.request.url ?? '/');
  if (query !== undefined) return takeQuery(exchange, query, dependencies);
  const page = '<!doctype html><title>Telltale</title><a href="/ui/">The dashboard</a>';
  exchange.answer(302, htmlMediaType, page, ['location', '/ui/', ...pageHeaders]);
}

async function takeQuery(
  exchange: Exchange,
  query: EventQuery,
  { events, admission, clock }: EventDependencies,
): Promise<void> {
  // Without the parameter, the header is read: a key in a URL ends up in the logs of proxies.
  const token = query.repeated === 'apiKey' ? '' : query.apiKey;
  const { key, headers } = await admission.admitWork(exchange, ['events'], token);
  if (query.repeated !== undefined) throw repeated(query.repeated);
  const receivedAt = Math.round(clock() * 1_000);
  const value = query.value === undefined ? undefined : numberFromQuery(query.value);
  const { metric, type, cluster } = query;
  const reading = readEvent({ metric, type, value, cluster }, { at: receivedAt, defaultStep: false });
  if (reading.kind === 'faults')
    throw invalid(reading.faults.map(({ field, detail }) => ({ pointer: `/${field}`, detail })));
  // HEAD is safe by definition: it answers as GET would, and stores nothing.
  if (exchange.request.method !== 'HEAD') {
    const context = { workspace: key.workspace, keyId: key.key_id, receivedAt, source: 'edge' as const };
    await append(exchange, [reading.event], context, { events, clock });
  }
  exchange.json(200, accepted, headers);
}

async function takeEvents(
  exchange: Exchange,
  { events, admission, bodyLimit, clock }: EventDependencies,
): Promise<void> {
  const admitted = await admission.admitWork(exchange, ['events']);
  checkBodyHeaders(exchange, bodyLimit);
  const items = arrayOf(parseJson(await readBody(exchange, bodyLimit)));
  const receivedAt = Math.round(clock() * 1_000);
  const reported = allOf(items, receivedAt);
  const { key, headers } = admission.charge(admitted, Math.max(0, items.length - 1));
  const context = { workspace: key.workspace, keyId: key.key_id, receivedAt, source: 'edge' as const };
  await append(exchange, reported, context, { events, clock });
  exchange.json(200, accepted, headers);
}

/** Appends only once if the request has an Idempotency-Key. */
async function append(
  exchange: Exchange,
  reported: readonly ReportedEvent[],
  context: EventContext,
  { events, clock }: Pick<EventDependencies, 'events' | 'clock'>,
): Promise<void> {
  const taken = reported.map((event) => toCustomEvent(event, context));
  const idempotencyKey = exchange.request.headers['idempotency-key'];
  if (idempotencyKey === undefined) return events.append(taken);
  const { workspace, receivedAt } = context;
  const ids = idempotentIds(workspace, String(idempotencyKey), clock());
  const { group, taskId: id, previousTaskId: previousId } = ids;
  const digest = hash('sha256', JSON.stringify(reported), 'hex');
  if (await events.appendOnce(taken, { workspace, group, id, previousId, digest, receivedAt })) return;
  throw new Problem(
    'conflict',
    'This Idempotency-Key was used for other events within a day. Use a new key for new events.',
  );
}

function arrayOf(body: unknown): readonly unknown[] {
  if (!Array.isArray(body))
    throw invalid([{ pointer: '', detail: 'The body must be a JSON array of events.' }]);
  if (body.length <= mostEvents) return body;
  throw invalid([
    { pointer: '', detail: `The body has more than ${mostEvents} events. Send several requests.` },
  ]);
}

/** All of them or none: a client that is told about a mistake corrects it and sends the same array again. */
function allOf(items: readonly unknown[], at: number): readonly ReportedEvent[] {
  const errors: FieldError[] = [];
  const events: ReportedEvent[] = [];
  for (const [index, item] of items.entries()) {
    const faults = faultsOrEvent(item, at, events);
    for (const { field, detail } of faults)
      errors.push({ pointer: field === '' ? `/${index}` : `/${index}/${field}`, detail });
  }
  if (errors.length > 0) throw invalid(errors);
  return events;
}

interface Fault {
  readonly field: EventFault['field'] | '';
  readonly detail: string;
}

function faultsOrEvent(item: unknown, at: number, events: ReportedEvent[]): readonly Fault[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [{ field: '', detail: 'An event must be a JSON object.' }];
  const reading = readEvent(item, { at, defaultStep: false });
  if (reading.kind === 'faults') return reading.faults;
  events.push(reading.event);
  return [];
}

function repeated(parameter: string): Problem {
  return invalid([{ pointer: `/${parameter}`, detail: `\`${parameter}\` is given more than once.` }]);
}

function invalid(errors: readonly FieldError[]): Problem {
  const told = errors.slice(0, maxReportedErrors).map(({ detail }) => detail);
  const more = errors.length - told.length;
  const detail = [...told, ...(more > 0 ? [`And ${more} more mistakes.`] : [])].join(' ');
  return new Problem('invalid', detail, { errors: errors.slice(0, errorsListed) });
}
