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

/**
 * What each of the maps must have if an attribute is requested. The indexes of keys and of values skip the
 * blocks that don't have it.
 */
function ofAttribute({ attributeKey, attributeValue }: SpanFilter): readonly string[] {
  if (attributeKey === undefined) return [];
  const hasKey = (map: string): string => `has(mapKeys(${map}), {attributeKey:String})`;
  const hasValue = (map: string): string => `${map}[{attributeKey:String}] = {attributeValue:String}`;
  const found = (map: string): string => {
    if (attributeValue === undefined) return hasKey(map);
    // ClickHouse returns an empty value for a missing key. Each access to a map reads it again.
    return attributeValue === '' ? `${hasKey(map)} AND ${hasValue(map)}` : hasValue(map);
  };
  return attributeMaps.map((map) => `(${found(map)})`);
}

const besideAttribute = (filter: SpanFilter): readonly string[] => [
  ofSpans[filter.spans] ?? '',
  ...Object.keys(filter).map((name) => conditions[name] ?? ''),
];

/** Conditions that each begin with AND. */
export function conditionsOf(filter: SpanFilter): string {
  const found = ofAttribute(filter);
  return [...besideAttribute(filter), found.length === 0 ? '' : `AND (${found.join(' OR ')})`].join(' ');
}

/**
 * The same as parts that have no span in common. A part reads the other map only in blocks that its own map
 * leaves, so together they read less than one query does.
 */
export function disjointConditionsOf(filter: SpanFilter): readonly string[] {
  const beside = besideAttribute(filter);
  const [ofSpan, ofResource] = ofAttribute(filter);
  if (ofSpan === undefined || ofResource === undefined) return [beside.join(' ')];
  return [`AND ${ofSpan}`, `AND ${ofResource} AND NOT ${ofSpan}`].map((part) => [...beside, part].join(' '));
}
