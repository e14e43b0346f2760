/** Length is counted in Unicode code points, which are roughly what people call characters. */
export function isLongerThan(value: string, limit: number): boolean {
  if (value.length <= limit) return false;
  if (value.length > 2 * limit) return true;
  let points = 0;
  for (let index = 0; index < value.length; index += 1) {
    if ((value.codePointAt(index) ?? 0) > 0xffff) index += 1;
    points += 1;
  }
  return points > limit;
}
