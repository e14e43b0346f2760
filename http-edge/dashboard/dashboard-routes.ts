import { clientAddressBehind } from '../../runtime/http/client-address.js';
import type { Route } from '../../runtime/http/route.js';
import type { Logger } from '../../runtime/logging.js';
import type { Admission } from '../http/admission.js';
import type { EdgePorts } from '../ports.js';
import { uiPath } from '../routes.js';
import type { SessionBook } from './session-book.js';
import { SessionGate } from './session-gate.js';
import { FailedAttempts } from './failed-attempts.js';
import { oidcRoutes } from './oidc/oidc-routes.js';
import { sessionRoutes } from './session-routes.js';
import { siteRoutes } from './site-routes.js';
import type { Site } from './site.js';

export interface DashboardDependencies {
  readonly signIn: EdgePorts['signIn'];
  readonly book: SessionBook;
  readonly admission: Pick<Admission, 'admitReadOf' | 'admitWorkOf'>;
  readonly site: Site | undefined;
  readonly logger: Logger;
  /** EDGE_TRUSTED_PROXIES. */
  readonly trustedProxies: readonly string[];
  /** The routes of the API that pages use, behind a gate. */
  readonly api: (gate: SessionGate) => readonly Route[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Everything under `/ui/` except the page: sessions, the API for signed-in people, and the site's files. */
export function dashboardRoutes(of: DashboardDependencies): readonly Route[] {
  const { signIn, book, admission, site, logger, trustedProxies, api, clock } = of;
  const gate = new SessionGate(book, admission);
  const attempts = new FailedAttempts(clock, clientAddressBehind(trustedProxies));
  return [
    ...sessionRoutes({ book, gate, attempts }),
    ...oidcRoutes({ signIn, book, attempts, logger }),
    ...api(gate).map((route) => ({ ...route, pattern: `${uiPath}${route.pattern.slice(1)}` })),
    ...siteRoutes(site),
  ];
}
