/** What is wrong with a filter's text; undefined if nothing is. */
export type MistakeIn = (text: string) => string | undefined;

/** The text for the API: empty, so that it does not filter, if there is a mistake. */
export const unlessMistaken = (text: string, mistakeIn: MistakeIn): string =>
  mistakeIn(text) === undefined ? text : '';

export const mistakeInMilliseconds: MistakeIn = (text) =>
  /^(\d{1,9}(\.\d{1,6})?)?$/.test(text) ? undefined : 'Give milliseconds as a number, such as 250.';

export const mistakeInWholeMilliseconds: MistakeIn = (text) =>
  /^\d{0,9}$/.test(text) ? undefined : 'Give milliseconds as a whole number, such as 250.';

export const mistakeInAttribute: MistakeIn = (text) =>
  text.startsWith('=') ? 'Put a key before the equals sign.' : undefined;

export const mistakeInNumber: MistakeIn = (text) =>
  /^(-?\d{1,15}(\.\d{1,15})?)?$/.test(text) ? undefined : 'Give a number, such as 0.8.';
