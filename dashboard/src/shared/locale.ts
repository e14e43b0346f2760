/** Whether texts and numbers can be formatted in a browser's language. */
export function isLocale(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}
