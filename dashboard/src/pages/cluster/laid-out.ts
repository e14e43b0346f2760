/** JSON with line breaks, as people read it; any other text, and JSON that was cut, as it is. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
