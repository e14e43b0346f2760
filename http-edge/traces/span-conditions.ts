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

const attributeMaps = ['SpanAttributes', 'ResourceAttributes'] as const;

/** The indexes of keys and of values skip the blocks that have none. */
function ofAttribute({ attributeKey, attributeValue }: SpanFilter): string {
  if (attributeKey === undefined) return '';
  const hasKey = (map: string): string => `has(mapKeys(${map}), {attributeKey:String})`;
  const hasValue = (map: string): string => `${map}[{attributeKey:String}] = {attributeValue:String}`;
  const found = (map: string): string => {
    if (attributeValue === undefined) return hasKey(map);
    // Of a key that is not there, ClickHouse says that its value is empty. Each look at a map reads it again.
    return attributeValue === '' ? `${hasKey(map)} AND ${hasValue(map)}` : hasValue(map);
  };
  return `AND (${attributeMaps.map(found).join(' OR ')})`;
}

/** Conditions that each begin with AND. */
export const conditionsOf = (filter: SpanFilter): string =>
  [
    ofSpans[filter.spans] ?? '',
    ...Object.keys(filter).map((name) => conditions[name] ?? ''),
    ofAttribute(filter),
  ].join(' ');
