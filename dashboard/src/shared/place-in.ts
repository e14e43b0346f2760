const pathOf = (href: string): string => href.split('?', 1)[0] ?? '';

/**
 * The index of the list row to which an address belongs; -1 for none. If several rows lead to the same page,
 * it is the opened one, even if something else on that page has been chosen since.
 */
export function placeIn(hrefs: readonly string[], address: string, opened = -1): number {
  const exact = hrefs.indexOf(address);
  if (exact !== -1) return exact;
  const isOfPage = (href: string | undefined): boolean =>
    href !== undefined && pathOf(href) === pathOf(address);
  return isOfPage(hrefs[opened]) ? opened : hrefs.findIndex(isOfPage);
}
