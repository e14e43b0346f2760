/** The fields of a JSON log line, by their dotted names. */
export type Fields = Readonly<Record<string, unknown>>;

export function parsedObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** A field as text. Raw JSON, as 7.1 writes its source, is returned as its text. */
export function textOf(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return written(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Null if it nests too deeply to be written: JSON is parsed to any depth. */
function written(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Whether each field can be read as text. */
export const areTexts = (fields: Fields): boolean =>
  Object.values(fields).every(
    (value) => typeof value !== 'object' || value === null || written(value) !== null,
  );

/** The fields after a source that can contain anything, and where they start. */
export function fieldsBehind(text: string): { readonly start: number; readonly fields: Fields } | null {
  const names = /,\s?"(?:id|cluster\.uuid|elasticsearch\.slowlog\.(?:took|stats)|ecs\.version)":/g;
  // The earliest of the last few after which the line is complete: a source can contain such names itself.
  const starts = [...text.matchAll(names)].map(({ index }) => index).slice(-8);
  for (const start of starts) {
    const fields = parsedObject(`{${text.slice(start + 1)}`);
    if (fields !== null) return { start, fields };
  }
  return null;
}
