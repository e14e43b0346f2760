import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pipeline } from './pipeline.js';
import { role, type Role } from './roles.js';

interface AgentOptions {
  /** The entries of its integration.json; without them it has none. */
  readonly integrations?: readonly object[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly program?: string;
}

/** An agent of a pipeline with its own folder, not started yet. */
export function agentRole(
  pipeline: Pipeline,
  { integrations, environment, program }: AgentOptions = {},
): Promise<Role> {
  const folder = join(pipeline.folder, 'agent');
  const file = join(folder, 'integration.json');
  if (integrations !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(integrations));
  }
  return role({
    command: 'agent',
    portVariable: 'AGENT_PORT',
    environment: {
      AGENT_FOLDER: folder,
      AGENT_SERVER_URL: pipeline.edge.url,
      AGENT_API_KEY: pipeline.key,
      ...(integrations !== undefined && { AGENT_INTEGRATION_FILE: file }),
      ...environment,
    },
    logFile: join(pipeline.folder, 'agent.log'),
    ...(program !== undefined && { program }),
  });
}
