/** The version of Telltale, the same as in package.json. */
export const version = '0.1.0';

/** Whether a version `x.y.z` is older than another; false if one of them is none. */
export function isOlder(one: string, other: string): boolean {
  const [mine, theirs] = [partsOf(one), partsOf(other)];
  for (const [index, part] of mine.entries()) {
    const least = theirs[index] ?? part;
    if (part !== least) return part < least;
  }
  return false;
}

function partsOf(text: string): readonly number[] {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(text);
  return found === null ? [] : found.slice(1).map(Number);
}
