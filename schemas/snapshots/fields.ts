import { z } from 'zod';
import { largestInt } from '../slow-operation-bounds.js';

/**
 * The kinds of fields in a snapshot. All of them are null if nothing was measured: a field that the cluster
 * did not report is never zero. An absent key is read as null, so that items of older agents stay readable.
 */

/** A count, a size, a duration or a share: finite, never negative. */
export const amount = z.number().min(0).nullable().default(null);

/** The end of the year 9999: no table accepts a later date. */
export const lastInstant = 253_402_300_799_999;

/** Milliseconds since the epoch. */
export const instant = z.number().int().min(0).max(lastInstant).nullable().default(null);

/** A shard's number; the tables can't store a larger one. */
export const shardNumber = z.number().int().min(0).max(largestInt);

export const flag = z.boolean().nullable().default(null);

/** The longest name, and the longest text unless said otherwise. */
export const longestText = 1_024;

/** Names and texts from the cluster. The agent cuts them; longer ones are refused. */
export const text = (longest = longestText): z.ZodDefault<z.ZodNullable<z.ZodString>> =>
  z.string().max(longest).nullable().default(null);

/** A required name. */
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
