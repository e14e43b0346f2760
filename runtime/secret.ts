import { z } from 'zod';

/** Marks a setting as a secret: it may also come from a file (see runtime/config.ts). */
const secrets = z.registry<{ readonly secret: true }>();

/** A setting whose value nobody may see; empty if it is not given. */
export function secret(description: string) {
  return markSecret(z.string().default('').describe(description));
}

/** The same for a setting of another type. Mark it last: the methods of a schema return a new schema. */
export function markSecret<Schema extends z.ZodType>(schema: Schema): Schema {
  secrets.add(schema, { secret: true });
  return schema;
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return secrets.has(schema);
}
