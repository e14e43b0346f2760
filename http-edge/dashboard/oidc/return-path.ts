import { uiPath } from '../../routes.js';

/** The path is kept in a cookie, and browsers limit a cookie to 4 KiB. */
const longest = 2_000;
/** Stands for the address of this edge, whatever that is. */
const here = 'http://dashboard.invalid';

/**
 * The page of the dashboard that was requested before signing in. Anything else becomes the dashboard's first
 * page, so that no link can lead through a sign-in to another site.
 */
export function returnPathOf(asked: string | null): string {
  if (asked === null || asked.length > longest || !asked.startsWith(uiPath) || !URL.canParse(asked, here))
    return uiPath;
  const { origin, pathname, search } = new URL(asked, here);
  const isPage = origin === here && pathname.startsWith(uiPath) && !pathname.startsWith(`${uiPath}api/`);
  return isPage ? `${pathname}${search}` : uiPath;
}
