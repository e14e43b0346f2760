export type Row = Record<string, unknown>;

/**
 * Merges the fields of all sources, later ones over earlier ones, without nulls: to the sink an absent column
 * is null, and a snapshot has many. Without a prototype, V8 keeps the row as a hash table from the start. An
 * object literal of spread sources would be a chain of 200 hidden classes, which takes 1 ms per row.
 */
export function rowOf(...sources: readonly Readonly<Record<string, unknown>>[]): Row {
  const row = Object.create(null) as Row;
  for (const source of sources)
    for (const [name, value] of Object.entries(source))
      if (value !== null && value !== undefined) row[name] = value;
      else if (name in row) row[name] = undefined;
  return row;
}

/** The named fields of a source, unchanged. */
export function fieldsOf<Field extends string>(
  source: Readonly<Partial<Record<Field, unknown>>>,
  fields: readonly Field[],
): Row {
  return Object.fromEntries(fields.map((field) => [field, source[field] ?? null]));
}

/** A group of elements as nested columns: one array for each field, all of one length. */
export function nestedColumns<Field extends string>(
  group: string,
  fields: readonly Field[],
  elements: readonly Readonly<Partial<Record<Field, unknown>>>[],
): Row {
  if (elements.length === 0) return {};
  return Object.fromEntries(
    fields.map((field) => [`${group}.${field}`, elements.map((element) => element[field] ?? null)]),
  );
}

export function quotientOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}
