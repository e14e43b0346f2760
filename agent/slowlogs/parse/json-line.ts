/** The fields of a JSON log line, by their dotted names. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads one line. Where the source was put in raw and cut in its middle (7.0 to 7.2 did so), the line is no JSON: what
 * stands before and behind the source is read all the same, and the source is taken as it stands.
 */
export function readJsonLine(line: string): Fields | null {
  return parsedObject(line) ?? aroundBrokenSource(line);
}

function parsedObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function aroundBrokenSource(line: string): Fields | null {
  const label = /"((?:elasticsearch\.slowlog\.)?source)": ?/.exec(line);
  if (label === null) return null;
  const head = parsedObject(`${line.slice(0, label.index)}"-":0}`);
  if (head === null) return null;
  const rest = line.slice(label.index + label[0].length);
  const behind = /,\s?"(?:id|cluster\.uuid|elasticsearch\.slowlog\.(?:took|stats)|ecs\.version)":/g;
  // The earliest of the last few after which the line is whole: a source may hold such names itself.
  const ends = [...rest.matchAll(behind)].map(({ index }) => index).slice(-8);
  for (const end of ends) {
    const tail = parsedObject(`{${rest.slice(end + 1)}`);
    if (tail !== null) return { ...head, ...tail, [label[1] ?? 'source']: rest.slice(0, end) };
  }
  return { ...head, [label[1] ?? 'source']: rest };
}

/** A field as text; raw JSON, as 7.1 writes its source, as the text of it. */
export function textOf(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
