/** Paths of an OpenAPI document, fewest parameters first: the first that matches an address applies. */
export const mostLiteralFirst = (paths: readonly string[]): readonly string[] =>
  [...paths].sort((one, other) => parametersOf(one) - parametersOf(other));

const parametersOf = (path: string): number => path.split('{').length;
