import { dirname } from 'node:path';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { Problem, type FieldError } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { AgentReportBody } from '../../schemas/agent-report.js';
import type { AgentContext, AgentComponent } from '../component.js';
import type { Integration, Integrations } from './config/integrations.js';
import { readIntegrations } from './config/read-integrations.js';
import type { Subject } from './connection-test/asking.js';
import { readHotThreads } from './connection-test/hot-threads.js';
import { testConnection } from './connection-test/test-connection.js';
import { distrustOf, openCluster } from './open-cluster.js';

/** Answers, on demand, whether the clusters of integration.json can be watched, and what their threads do. */
export const connectionTestComponent: AgentComponent = {
  name: 'connection-test',
  start(context) {
    const path = (): string => context.config.current().AGENT_INTEGRATION_FILE;
    let lastResults: AgentReportBody['connection_tests'] = [];
    return Promise.resolve({
      routes: [
        eachCluster('POST', '/integrations/elasticsearch/test', testConnection, {
          ...{ path, context },
          told: (results, entries) =>
            (lastResults = results.map(({ ok, kind, message }, index) => ({
              ...{ endpoint: entries[index]?.url ?? '', at: Date.now(), ok, kind, message },
            }))),
        }),
        eachCluster('GET', '/integrations/elasticsearch/hot-threads', readHotThreads, { path, context }),
      ],
      status: () => ({ file: path() }),
      report: () => ({ connectionTests: lastResults }),
      stop: () => Promise.resolve(),
    });
  },
  async check({ AGENT_INTEGRATION_FILE: file }) {
    try {
      const { form, entries, warnings } = await readIntegrations(file);
      if (form === 'none') return { does: [`watches no search cluster: there is no ${file}`], problems: [] };
      return { does: entries.map(doing), problems: [...warnings, ...(await untrusted(entries, file))] };
    } catch (error) {
      return { does: [], problems: [reasonOf(error)] };
    }
  },
};

function doing({ url, monitor, authentication, slowlog }: Integration): string {
  if (!monitor) return `leaves the search cluster at ${url} alone (monitor is false)`;
  const slow = slowlog.enabled ? ', and its slow logs' : '';
  return `watches the search cluster at ${url}${slow} (credentials: ${authentication.kind})`;
}

/** Certificates that would not be verified as the file says. */
async function untrusted(entries: readonly Integration[], file: string): Promise<string[]> {
  const found = entries.map(async (entry) => {
    const reason = await distrustOf(entry, dirname(file));
    return reason === undefined ? [] : [`${entry.url}: ${reason}`];
  });
  return (await Promise.all(found)).flat();
}

interface ClustersAsked<Result> {
  readonly path: () => string;
  readonly context: AgentContext;
  /** Called with the results of all clusters of the file, in its order, unless nobody waits for them. */
  readonly told?: (results: readonly Result[], entries: readonly Integration[]) => void;
}

/**
 * Asks each cluster of the present file. If the file is an array, the answer is an array of results in the
 * same order.
 */
function eachCluster<Result extends object>(
  method: Route['method'],
  pattern: string,
  ask: (subject: Subject, signal: AbortSignal) => Promise<Result>,
  { path, context, told }: ClustersAsked<Result>,
): Route {
  return {
    method,
    pattern,
    async handle(exchange) {
      const file = path();
      const { form, entries } = await stored(file);
      const signal = exchange.gone;
      const results = await Promise.all(
        entries.map(async (integration) => {
          const { client, diagnostic } = await openCluster(integration, dirname(file), context.metrics);
          return ask({ integration, client, diagnostic: diagnostic() }, signal).finally(() => client.close());
        }),
      );
      if (!signal.aborted) told?.(results, entries);
      exchange.json(200, JSON.stringify(form === 'one' ? results[0] : results));
    },
  };
}

async function stored(file: string): Promise<Integrations> {
  let integrations: Integrations;
  try {
    integrations = await readIntegrations(file);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'CONFIG_INVALID')
      throw new Problem('invalid', error.message, { errors: mistakesOf(error) });
    throw error;
  }
  if (integrations.form === 'none') {
    throw new Problem(
      'not-found',
      `There is no ${file}: write one that names the cluster, as in {"service": "elasticsearch", "host": "es1.example.org"}.`,
    );
  }
  return integrations;
}

/** One per line, as in `integration.json:4:12 /0/port must be …`. */
function mistakesOf({ details }: TelltaleError): FieldError[] {
  const lines = String(details['problems']).split('\n');
  return lines.map((line) => ({ pointer: / (\/\S+) /.exec(line)?.[1] ?? '', detail: line.trim() }));
}
