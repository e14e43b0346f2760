import { z } from 'zod';
import { amount, flag, instant, list, name, names, text } from './fields.js';

/**
 * `ok`; `off`: by configuration; `forbidden`: a privilege is missing; `missing`: this version has no such
 * API; `failing`: the last attempt failed; `waiting`: not attempted yet.
 */
export const capabilityState = z.enum(['ok', 'off', 'forbidden', 'missing', 'failing', 'waiting']);

const capability = z.object({
  section: name,
  state: capabilityState,
  reason: text(2_048),
  /** The privilege that the section needs. */
  privilege: text(),
  last_success_at: instant,
  next_try_at: instant,
  interval_seconds: amount,
  collections: amount,
  failures: amount,
  /** Cycles that were skipped because the previous one had not ended. */
  skipped: amount,
});

/** Which sections of a cluster can be collected, and why others can't. */
export const capabilitiesSection = z.object({
  sections: list(capability, 100),
  notes: names(),
  /** Whether any index sets a slow-log threshold: without one there is nothing to collect. Null: unknown. */
  slow_log_thresholds: z.object({ search: flag, indexing: flag }).nullish(),
});

/** How often an unchanged report is repeated. */
export const capabilitiesRepeatMs = 900_000;

/** The report of an agent that has been quiet for longer no longer counts. */
export const capabilitiesHoldMs = capabilitiesRepeatMs + 300_000;

export type Capability = z.output<typeof capability>;
export type CapabilityState = z.output<typeof capabilityState>;
export type CapabilitiesSection = z.output<typeof capabilitiesSection>;
