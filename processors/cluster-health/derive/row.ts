export type Row = Record<string, unknown>;

/** A row without its nulls: an absent column is null to the sink, and a snapshot has many. */
export function withoutNulls(row: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));
}

/** The named fields of a source, as they are. */
export function fieldsOf<Field extends string>(
  source: Readonly<Partial<Record<Field, unknown>>>,
  fields: readonly Field[],
): Row {
  return Object.fromEntries(fields.map((field) => [field, source[field] ?? null]));
}

/** A group of elements as nested columns: one array a field, all of one length. */
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
