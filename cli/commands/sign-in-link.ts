import { newLink } from '../../http-edge/dashboard/sessions.js';
import { readConfig } from '../../runtime/config.js';
import { appendConfig, kafkaConfig } from '../../runtime/kafka/client/config.js';
import { TelltaleError } from '../../runtime/errors.js';
import { openBatchingAppender } from '../../runtime/kafka/produce/batching-appender.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { dashboardSessions } from '../../topics/dashboard.js';
import type { AddCommand } from '../command.js';
import { workspaceForm } from '../../schemas/workspace.js';

interface Given {
  readonly workspace: string;
  readonly role: string;
  readonly url: string;
}

/** `telltale sign-in-link`: writes to access.dashboard-sessions, which every edge follows. */
export const addSignInLink: AddCommand = (program) => {
  program
    .command('sign-in-link')
    .description('print a link that signs in to the dashboard once, within ten minutes')
    .option('--workspace <workspace>', 'workspace that the session gives access to', 'default')
    .option('--role <role>', 'viewer or admin', 'admin')
    .option('--url <url>', 'address of the edge', 'http://127.0.0.1:8080')
    .action(async (given: Given) => console.log(await signInLink(given, process.env)));
};

async function signInLink(
  { workspace, role, url }: Given,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (!workspaceForm.test(workspace) || (role !== 'viewer' && role !== 'admin') || !URL.canParse(url))
    throw new TelltaleError('LINK_INVALID');
  const settings = readConfig(kafkaConfig, environment);
  const codec = await openCodec(dashboardSessions, connectRegistry(settings));
  const appender = await openBatchingAppender({
    ...kafkaAccess(settings, 'telltale-sign-in-link', silentLogger),
    metrics: createMetrics(),
    config: readConfig(appendConfig, environment),
  });
  try {
    const { token, session } = newLink({ workspace, role, key_id: null, subject: null }, Date.now());
    await appender.append([{ topic: dashboardSessions.name, key: session.id, value: codec.encode(session) }]);
    // Browsers don't send the fragment to a server, so the token appears in no log on the way.
    return new URL(`/ui/sign-in#link=${token}`, url).href;
  } finally {
    await appender.stop();
  }
}
