import { z } from 'zod';
import { markSecret } from '../runtime/secret.js';
import type { WorkspaceAnalyst } from '../stack/clickhouse/workspace-analysts.js';

const passwords = z.record(z.string(), z.string().min(12, 'a password must have at least 12 characters'), {
  error: 'must be JSON as {"workspace": "password"}',
});

/** The ClickHouse users who can read one workspace's rows. */
export const analystsConfig = z.object({
  CLICKHOUSE_ANALYSTS: markSecret(
    z
      .string()
      .default('{}')
      .transform(analystsOf)
      .describe(
        'JSON, workspace → password: users `analyst_<workspace>` that see only the rows of that workspace.',
      ),
  ),
});

function analystsOf(text: string, context: z.RefinementCtx): readonly WorkspaceAnalyst[] {
  const parsed = passwords.safeParse(parsedJson(text));
  if (parsed.success)
    return Object.entries(parsed.data).map(([workspace, password]) => ({ workspace, password }));
  for (const { message, path } of parsed.error.issues) {
    const [workspace] = path;
    const of = workspace === undefined ? '' : `${String(workspace)}: `;
    context.addIssue({ code: 'custom', message: `${of}${message}` });
  }
  return z.NEVER;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
