import { kindOf } from '../../../schemas/cluster-rows/kinds.js';
import { iso, type StoredRow } from './store.js';

/**
 * A row of a cluster table as an object: timestamps in ISO 8601, JSON parsed, nested columns as lists of objects, null
 * unchanged.
 */
export function viewOfRow(row: StoredRow, columns: readonly string[]): Record<string, unknown> {
  const view: Record<string, unknown> = {};
  const groups = new Map<string, string[]>();
  for (const column of columns) {
    const [group = '', field] = column.split('.', 2);
    if (field === undefined) view[column] = valueOf(column, row[column]);
    else groups.set(group, [...(groups.get(group) ?? []), field]);
  }
  for (const [group, fields] of groups) view[group] = elementsOf(row, group, fields);
  return view;
}

function valueOf(column: string, value: unknown): unknown {
  const kind = kindOf(column);
  if (kind === 'timestamp') return iso(value);
  return kind === 'json' && typeof value === 'string' ? JSON.parse(value) : (value ?? null);
}

function elementsOf(row: StoredRow, group: string, fields: readonly string[]): object[] {
  const arrays = fields.map(
    (field) => [field, (row[`${group}.${field}`] ?? []) as readonly unknown[]] as const,
  );
  const length = Math.max(0, ...arrays.map(([, values]) => values.length));
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(arrays.map(([field, values]) => [field, values[index] ?? null])),
  );
}

export const selected = (columns: readonly string[]): string =>
  [...new Set(columns)].map((column) => `\`${column}\``).join(', ');
