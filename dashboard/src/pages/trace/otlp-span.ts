import type { CsvRow } from '../../shared/csv.js';

type Json = Readonly<Record<string, unknown>>;
export type Named = readonly (readonly [string, string])[];

/** The OTLP fields of a span that the trace's outline lacks. */
export interface SpanDetails {
  readonly message: string;
  readonly attributes: Named;
  readonly resource: Named;
  readonly scope: string;
  readonly events: readonly {
    readonly name: string;
    /** Null if the event has no timestamp. */
    readonly at: string | null;
    readonly attributes: Named;
  }[];
  readonly links: readonly { readonly trace: string; readonly span: string; readonly attributes: Named }[];
}

/** The details of the only span in an OTLP/JSON request. */
export function detailsOf(otlp: { readonly resourceSpans: readonly unknown[] }): SpanDetails {
  const ofResource = json(otlp.resourceSpans[0]);
  const ofScope = json(list(ofResource['scopeSpans'])[0]);
  const span = json(list(ofScope['spans'])[0]);
  const scope = json(ofScope['scope']);
  return {
    message: text(json(span['status'])['message']),
    attributes: attributesOf(span),
    resource: attributesOf(json(ofResource['resource'])),
    scope: [text(scope['name']), text(scope['version'])].filter((part) => part !== '').join(' '),
    events: list(span['events'])
      .map(json)
      .map((event) => ({
        name: text(event['name']),
        at: timestampOf(text(event['timeUnixNano'])),
        attributes: attributesOf(event),
      })),
    links: list(span['links'])
      .map(json)
      .map((link) => ({
        trace: text(link['traceId']),
        span: text(link['spanId']),
        attributes: attributesOf(link),
      })),
  };
}

/** Every attribute as a CSV row, with the thing it describes. */
export function attributeRows({ attributes, events, links, resource }: SpanDetails): readonly CsvRow[] {
  const rowsOf = (of: string, named: Named): readonly CsvRow[] =>
    named.map(([key, value]) => ({ of, key, value }));
  return [
    ...rowsOf('span', attributes),
    ...events.flatMap(({ name, attributes: ofEvent }) => rowsOf(`event ${name}`, ofEvent)),
    ...links.flatMap(({ span, attributes: ofLink }) => rowsOf(`link to ${span}`, ofLink)),
    ...rowsOf('resource', resource),
  ];
}

/** Nanoseconds since 1970; 0 stands for no time. */
function timestampOf(nanoseconds: string): string | null {
  const ms = Number(nanoseconds) / 1e6;
  return ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : null;
}

const json = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const attributesOf = (of: Json): Named =>
  list(of['attributes'])
    .map(json)
    .map(({ key, value }) => [text(key), valueText(json(value))]);

/** A value for people: lists and maps as JSON. */
function valueText(value: Json): string {
  const [of] = Object.values(value);
  if (of === undefined) return '';
  if (typeof of === 'string') return of;
  return JSON.stringify(typeof of === 'object' ? plain(value) : of);
}

function plain(value: Json): unknown {
  const [[kind, of] = ['', null]] = Object.entries(value);
  if (kind === 'arrayValue') return list(json(of)['values']).map(json).map(plain);
  if (kind === 'kvlistValue')
    return Object.fromEntries(
      list(json(of)['values'])
        .map(json)
        .map(({ key, value: inner }) => [text(key), plain(json(inner))]),
    );
  return of;
}
