/** Whether a browser's language is one that texts and numbers can be formatted by. */
export function isLocale(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}
