import { z } from 'zod';
import { TelltaleError } from './errors.js';
import { isSecret, secret } from './secret.js';
import { secretsFromFiles, type Environment } from './secret-files.js';

/**
 * Configuration comes from environment variables. They are validated once, when a process starts, and all
 * errors are reported together. A section is a zod object whose keys are the variables' names;
 * docs/configuration.md prints each `describe()`.
 */
export type ConfigSection = z.ZodObject;

/**
 * Reads a section from the environment, and its secrets from the files that `…_FILE` variables name. Empty
 * strings count as unset, as in `EDGE_PORT= npm start`.
 */
export function readConfig<Section extends ConfigSection>(
  section: Section,
  environment: Environment,
): z.output<Section> {
  const withSecrets = secretsFromFiles(secretsOf(section), environment);
  const given = Object.fromEntries(
    Object.entries(withSecrets.environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = section.safeParse(given);
  if (parsed.success && withSecrets.problems.length === 0) return parsed.data;
  const invalid = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const problems = [...withSecrets.problems, ...invalid].map((problem) => `  ${problem}`).join('\n');
  throw new TelltaleError('CONFIG_INVALID', { problems });
}

/** The names of a section's settings that may come from a file. */
export function secretsOf(section: ConfigSection): readonly string[] {
  return Object.entries<z.core.$ZodType>(section.shape).flatMap(([name, schema]) =>
    isSecret(schema) ? [name] : [],
  );
}

export const port = (standard: number) => z.coerce.number().int().min(0).max(65535).default(standard);
export const positiveInteger = (standard: number) => z.coerce.number().int().positive().default(standard);
export const flag = (standard: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(standard ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');
export const commaList = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );

export const loggingConfig = z.object({
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Least severe level that is logged.'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('`auto`: pretty on a terminal, JSON elsewhere.'),
});

export const operationsConfig = z.object({
  METRICS_TOKEN: secret('If set, `/metrics` of every process requires `Authorization: Bearer <token>`.'),
  OPERATIONS_ALLOWED_HOSTS: commaList('')
    .transform((names) => names.map((name) => name.toLowerCase()))
    .describe(
      'Comma-separated host names (without port) that clients use for the operations endpoints; loopback and the own address always work.',
    ),
});

export type OperationsConfig = z.output<typeof operationsConfig>;
