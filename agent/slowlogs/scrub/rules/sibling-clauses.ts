import { credentialName } from '../credential-keys.js';
import { nowhere, type Fields } from '../field-tables.js';
import { inPlaceOf, nameIn } from '../named-leaves.js';
import type { FoundSpan } from '../span.js';
import type { Rule } from '../view.js';

const nameField = /^(.*?[._])(?:name|key|k|header|attribute|property|param|label)(?:\.keyword)?$/i;
const valueField = /^(.*?[._])(?:values?|val|v|data|content|string(?:_value)?)(?:\.\w+)?$/i;

/**
 * Searches of nested pairs name the field in one clause and its value in another:
 * `{"term":{"attrs.key":"password"}},{"term":{"attrs.value":…}}`.
 */
export const siblingClauses: Rule = {
  name: 'sibling-clauses',
  find(view) {
    const { source } = view;
    const table = view.fields();
    const pairs = credentialPairs(source, table);
    if (pairs.size === 0) return [];
    const spans: FoundSpan[] = [];
    for (let at = 0; at < table.leaves.length; at += 1) {
      const path = valueField.exec(fieldName(source, table, at))?.[1];
      const span = path !== undefined && pairs.has(path) ? inPlaceOf(source, table.leaves.at(at)) : null;
      if (span !== null) spans.push(span);
    }
    return spans;
  },
};

/** Paths of the pairs whose name is one of a credential. */
function credentialPairs(source: string, table: Fields): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < table.leaves.length; at += 1) {
    const path = nameField.exec(fieldName(source, table, at))?.[1];
    if (path === undefined) continue;
    const name = nameIn(source, table.leaves.startOf(at), table.leaves.endOf(at));
    if (credentialName(name) === 'strong') pairs.add(path);
  }
  return pairs;
}

function fieldName(source: string, { keys, leaves }: Fields, at: number): string {
  const field = leaves.fieldOf(at);
  return field === nowhere ? '' : nameIn(source, keys.startOf(field), keys.endOf(field));
}
