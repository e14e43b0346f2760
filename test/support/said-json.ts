/** Receives the next piece of an answer. */
export type Say = (text: string) => Promise<void>;

export async function listOf(say: Say, count: number, row: (number: number) => unknown): Promise<void> {
  await say('[');
  for (let number = 0; number < count; number += 1) {
    await say(`${number === 0 ? '' : ','}${JSON.stringify(row(number))}`);
  }
  await say(']');
}

export async function objectOf(
  say: Say,
  keys: readonly (readonly [string, number])[],
  of: (number: number) => unknown,
): Promise<void> {
  await say('{');
  for (const [at, [key, number]] of keys.entries()) {
    await say(`${at === 0 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(of(number))}`);
  }
  await say('}');
}

export const keysOf = (
  count: number,
  name: (number: number) => string,
): readonly (readonly [string, number])[] =>
  Array.from({ length: count }, (_, number) => [name(number), number] as const);
