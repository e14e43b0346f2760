/** Brackets that JSON may open before it closes one; an OTLP request of the deepest attribute taken has 100. */
const mostBrackets = 512;
const harmless = 1024 * 1024;

/**
 * Whether a large text opens more brackets than any request does. Each costs JSON.parse fifty times its own byte: so large
 * texts are looked at before they are parsed; a smaller one can't hurt, however deep it is.
 */
export function isTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= harmless) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > mostBrackets) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}
