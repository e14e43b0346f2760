/** A text of this length takes JSON.parse some 10 ms, whatever is in it. */
const harmless = 64 * 1024;
const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}');

export interface JsonBounds {
  /** Brackets that are open at once. */
  readonly depth: number;
  /** Elements and members of all lists and objects, the first of each apart. */
  readonly values: number;
}

/** Of items of agents: an OTLP request of the deepest attribute taken has 100 brackets open. */
export const itemBounds: JsonBounds = { depth: 512, values: Infinity };

/**
 * Of which there is more in a text than is taken, to be asked before it is parsed: a bracket that stays open costs
 * JSON.parse fifty times its own byte, and an object with a name of its own a hundred times. A text of up to 64 KiB can't
 * hurt, so it is not looked at.
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
