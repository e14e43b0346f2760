import { uiPath } from '../../routes.js';

/** It travels in a cookie, of which browsers keep 4 KiB. */
const longest = 2_000;
/** Stands for the address of this edge, whatever that is. */
const here = 'http://dashboard.invalid';

/**
 * The page of the dashboard that somebody asked for before they signed in. Anything else becomes its first page, so that
 * no link can lead through a sign-in to another site.
 */
export function returnPathOf(asked: string | null): string {
  if (asked === null || asked.length > longest || !asked.startsWith(uiPath) || !URL.canParse(asked, here))
    return uiPath;
  const { origin, pathname, search } = new URL(asked, here);
  const isPage = origin === here && pathname.startsWith(uiPath) && !pathname.startsWith(`${uiPath}api/`);
  return isPage ? `${pathname}${search}` : uiPath;
}
