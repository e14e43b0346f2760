import { options } from './clauses.js';
import { readJson, type JsonNode } from './json.js';

/** The replacement of a literal. */
const literal = '?';

/** The values of these are names of fields, not searched values. */
const fieldLists: ReadonlySet<string> = new Set(
  'field fields default_field _source docvalue_fields stored_fields includes excludes sort path'.split(' '),
);
const fieldName = /^[\w.@*^-]{1,120}$/;
const optionValue = /^[A-Za-z_|]{1,40}$/;
const keyAtMost = 64;

/**
 * A scrubbed search without any literal: its structure, the names of its fields and the words of its options. Searches
 * that differ only in their values, lists of any length included, have the same shape. Text that is no JSON is a
 * literal.
 */
export function shapeOf(search: string): string {
  const root = /^\s*[{[]/.test(search) ? readJson(search) : null;
  return root === null ? literal : shapeOfNode(search, root, '', false);
}

function shapeOfNode(source: string, node: JsonNode, key: string, namesFields: boolean): string {
  if (node.kind === 'scalar') {
    const text = source.slice(node.start, node.end);
    return /^(?:true|false|null)$/.test(text) ? text : literal;
  }
  if (node.kind === 'string') {
    const isName =
      (namesFields && fieldName.test(node.value)) || (options.has(key) && optionValue.test(node.value));
    return isName && !node.isOpen ? JSON.stringify(node.value) : literal;
  }
  if (key === 'params') return literal;
  const members = node.members.map((member) => {
    const name = member.key?.value ?? key;
    const shape = shapeOfNode(source, member.value, name, namesFields || fieldLists.has(name));
    if (member.key === null) return shape;
    return `${name.length > keyAtMost ? literal : JSON.stringify(name)}:${shape}`;
  });
  return node.kind === 'object' ? `{${members.join(',')}}` : `[${[...new Set(members)].join(',')}]`;
}
