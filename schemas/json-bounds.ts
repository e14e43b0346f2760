/** In bytes. JSON.parse takes about 10 ms for a text of this length, whatever it contains. */
const harmless = 64 * 1024;
const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}');

export interface JsonBounds {
  /** The depth of open brackets. */
  readonly depth: number;
  /** Elements and members of all lists and objects, except for the first of each. */
  readonly values: number;
}

/** For agents' items: an OTLP request with the deepest accepted attribute nests 100 brackets. */
export const itemBounds: JsonBounds = { depth: 512, values: Infinity };

/**
 * Says which bound a text exceeds; to be called before parsing it. An open bracket costs JSON.parse fifty
 * times its own byte, and an object with a unique name a hundred times. Texts of up to 64 KiB are harmless,
 * so they are not examined.
 */
export function jsonExcess(bytes: Buffer, most: JsonBounds): keyof JsonBounds | undefined {
  if (bytes.length <= harmless) return undefined;
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === comma) {
      values += 1;
      if (values > most.values) return 'values';
    } else if (byte === openList || byte === openObject) {
      depth += 1;
      if (depth > most.depth) return 'depth';
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return undefined;
}
