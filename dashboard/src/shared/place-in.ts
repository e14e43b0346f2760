const pathOf = (href: string): string => href.split('?', 1)[0] ?? '';

/**
 * The row of a list that an address belongs to; -1 for none. Of several that lead to one page it is the one that was
 * opened, although something else of the page has been chosen since.
 */
export function placeIn(hrefs: readonly string[], address: string, opened = -1): number {
  const exact = hrefs.indexOf(address);
  if (exact !== -1) return exact;
  const isOfPage = (href: string | undefined): boolean =>
    href !== undefined && pathOf(href) === pathOf(address);
  return isOfPage(hrefs[opened]) ? opened : hrefs.findIndex(isOfPage);
}
