import type { SpanFilter } from './trace-reader.js';

const ofSpans: Readonly<Record<string, string>> = {
  roots: "AND is_entry AND ParentSpanId = ''",
  entries: 'AND is_entry',
  all: '',
};

/** `spans` and the value of an attribute are parts of other conditions. */
const conditions: Readonly<Record<string, string>> = {
  application: 'AND application = {application:String}',
  operation: 'AND SpanName = {operation:String}',
  status: "AND (StatusCode = 'Error') = ({status:String} = 'error')",
  shortest: 'AND Duration >= {shortest:UInt64}',
  longest: 'AND Duration <= {longest:UInt64}',
};

/** The index of keys or of values skips the blocks that have none. */
const ofAttribute = (filter: SpanFilter): string =>
  filter.attributeKey === undefined
    ? ''
    : filter.attributeValue === undefined
      ? `AND (has(mapKeys(SpanAttributes), {attributeKey:String}) OR has(mapKeys(ResourceAttributes), {attributeKey:String}))`
      : `AND (has(mapValues(SpanAttributes), {attributeValue:String}) OR has(mapValues(ResourceAttributes), {attributeValue:String}))
         AND ((has(mapKeys(SpanAttributes), {attributeKey:String}) AND SpanAttributes[{attributeKey:String}] = {attributeValue:String})
           OR (has(mapKeys(ResourceAttributes), {attributeKey:String}) AND ResourceAttributes[{attributeKey:String}] = {attributeValue:String}))`;

/** Conditions that each begin with AND. */
export const conditionsOf = (filter: SpanFilter): string =>
  [
    ofSpans[filter.spans] ?? '',
    ...Object.keys(filter).map((name) => conditions[name] ?? ''),
    ofAttribute(filter),
  ].join(' ');
