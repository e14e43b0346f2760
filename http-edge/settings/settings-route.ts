import { reasonOf } from '../../runtime/errors.js';
import type { Route } from '../../runtime/http/route.js';
import { edgeConfig, type EdgeConfig } from '../config.js';
import type { Gate } from '../http/admission.js';
import { settingsPath } from '../routes.js';
import type { Kept, RetentionReader } from './retention.js';

export interface SettingsRouteDependencies {
  readonly retention: RetentionReader;
  readonly config: EdgeConfig;
  readonly admission: Gate;
}

/** `GET /api/v1/settings`: how long data is kept, and the limits of this edge, for a key with the scope `admin`. */
export function settingsRoute({ retention, config, admission }: SettingsRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: settingsPath,
    async handle(exchange) {
      const { headers } = admission.admit(exchange, ['admin']);
      const [topics, tables] = await Promise.all([known(retention.topics()), known(retention.tables())]);
      exchange.json(200, JSON.stringify({ topics, tables, limits: limitsOf(config) }), headers);
    },
  };
}

/** If a source can't be asked, only its own part of the answer fails. */
async function known(asked: Promise<readonly Kept[]>): Promise<object> {
  return asked.then(
    (kept) => ({ kept, unknown: null }),
    (error: unknown) => ({ kept: [], unknown: reasonOf(error) }),
  );
}

function limitsOf(config: EdgeConfig): readonly object[] {
  return Object.entries(edgeConfig.shape).map(([name, { description }]) => ({
    name,
    value: asGiven(config[name as keyof EdgeConfig]),
    about: description ?? '',
  }));
}

/** A setting's value: a list as its comma-separated form, and null if nothing is set. */
function asGiven(value: EdgeConfig[keyof EdgeConfig]): string | number | null {
  const given = Array.isArray(value) ? value.join(',') : value;
  return given === undefined || given === '' ? null : given;
}
