/** JSON with line breaks, for people; any other text, and cut JSON, unchanged. */
export function prettyPrinted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
