import { schemaRef, type Json, type Schema } from './document-types.js';

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0, maximum: 0xffff_ffff };
const nanoseconds: Schema = {
  type: 'string',
  pattern: '^(0|[1-9][0-9]{0,18})$',
  description: 'Nanoseconds since 1970, at most 2^63 - 1.',
};
const id = (digits: number): Schema => ({ type: 'string', pattern: `^[0-9a-f]{${digits}}$` });
const idOrEmpty = (digits: number): Schema => ({ type: 'string', pattern: `^([0-9a-f]{${digits}})?$` });
const attributes = { attributes: schemaRef('SpanAttributes'), dropped_attributes_count: count };
const listOf = (properties: Schema, required: readonly string[]): Schema => ({
  type: 'array',
  items: { type: 'object', properties, required },
});

/** The schema of the form in schemas/otlp/span-block.ts. */
export const spanBlockSchemas: Readonly<Record<string, Schema>> = {
  AgentSpan: {
    type: 'object',
    description: 'Spans of one resource and one scope of OTLP. Absent fields are empty or zero.',
    properties: {
      application: {
        type: 'string',
        minLength: 1,
        description: 'The name under which the application reports.',
      },
      resource: { type: 'object', properties: { ...attributes, schema_url: text } },
      scope: { type: 'object', properties: { name: text, version: text, ...attributes, schema_url: text } },
      spans: { type: 'array', minItems: 1, items: schemaRef('AgentSpanOfBlock') },
    },
    required: ['application', 'spans'],
  },
  AgentSpanOfBlock: {
    type: 'object',
    properties: {
      trace_id: id(32),
      span_id: id(16),
      parent_span_id: id(16),
      trace_state: text,
      flags: count,
      name: text,
      kind: { ...count, maximum: 0x7fff_ffff, description: "The number of OTLP's SpanKind." },
      start: nanoseconds,
      end: nanoseconds,
      ...attributes,
      events: listOf({ time: nanoseconds, name: text, ...attributes }, ['time']),
      dropped_events_count: count,
      links: listOf(
        { trace_id: idOrEmpty(32), span_id: idOrEmpty(16), trace_state: text, flags: count, ...attributes },
        ['trace_id', 'span_id'],
      ),
      dropped_links_count: count,
      status_code: { ...count, maximum: 0x7fff_ffff, description: "The number of OTLP's StatusCode." },
      status_message: text,
    },
    required: ['trace_id', 'span_id', 'start', 'end'],
  },
  SpanAttributes: {
    type: 'object',
    description: 'Attributes as columns: every value is a string, and `types` has a letter for each.',
    properties: {
      types: {
        type: 'string',
        pattern: '^[sbidynak()]*$',
        description:
          's string, b boolean, i 64-bit integer, d double, y bytes in base64, n none; a(…) array and k(…) list of keys and values, both JSON, with the letters of their elements.',
      },
      keys: { type: 'array', items: text },
      values: { type: 'array', items: text },
    },
    required: ['types', 'keys', 'values'],
  },
};

export const spanBlockExample: Json = {
  application: 'shop',
  resource: { attributes: { types: 's', keys: ['service.name'], values: ['shop'] } },
  scope: { name: 'http' },
  spans: [
    {
      trace_id: '5b8efff798038103d269b633813fc60c',
      span_id: 'eee19b7ec3c1b174',
      name: 'GET /orders',
      kind: 2,
      start: '1768478400000000001',
      end: '1768478400012000005',
      attributes: { types: 'i', keys: ['http.response.status_code'], values: ['200'] },
    },
  ],
};
