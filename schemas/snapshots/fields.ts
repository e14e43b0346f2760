import { z } from 'zod';
import { largestInt } from '../slow-operation-bounds.js';

/**
 * The few kinds of field that a snapshot is made of. All of them are null where nothing was measured: a field that the
 * cluster did not give is never a zero. An absent key reads as null, so that older agents stay readable.
 */

/** A count, a size, a duration or a share: finite, never negative. */
export const amount = z.number().min(0).nullable().default(null);

/** The end of the year 9999: what comes later has no date that a table takes. */
export const lastInstant = 253_402_300_799_999;

/** Milliseconds since the epoch. */
export const instant = z.number().int().min(0).max(lastInstant).nullable().default(null);

/** Of a shard; the tables have no room for a larger one. */
export const shardNumber = z.number().int().min(0).max(largestInt);

export const flag = z.boolean().nullable().default(null);

/** Of a name, and of what else is not said to be shorter. */
export const longestText = 1_024;

/** What the cluster calls things, and what it says about them; cut by the agent, refused when longer. */
export const text = (longest = longestText): z.ZodDefault<z.ZodNullable<z.ZodString>> =>
  z.string().max(longest).nullable().default(null);

/** A name that an entity can't do without. */
export const name = z.string().min(1).max(longestText);

export const names = (most = 200): z.ZodDefault<z.ZodArray<z.ZodString>> =>
  z.array(z.string().max(longestText)).max(most).default([]);

export const share = z.number().min(0).max(100).nullable().default(null);

export const healthStatus = z.enum(['green', 'yellow', 'red']).nullable().default(null);

export const list = <Item extends z.ZodType>(item: Item, most = 10_000): z.ZodDefault<z.ZodArray<Item>> =>
  z
    .array(item)
    .max(most)
    .default([] as never);
