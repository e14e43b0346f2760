/** Paths of an OpenAPI document, those with fewer parameters first: of two that fit an address, the first is meant. */
export const mostLiteralFirst = (paths: readonly string[]): readonly string[] =>
  [...paths].sort((one, other) => parametersOf(one) - parametersOf(other));

const parametersOf = (path: string): number => path.split('{').length;
