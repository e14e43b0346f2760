import fc from 'fast-check';

/**
 * Seeds every property of the run. The same by default, so that a run judges the change and not the day;
 * `PROPERTY_SEED=random` draws a new one each run, as `npm run soak` does to look for rare counterexamples.
 */
export function seedProperties(wanted = process.env['PROPERTY_SEED'] ?? '1'): void {
  if (wanted === 'random') return;
  const seed = Number(wanted);
  if (!Number.isInteger(seed))
    throw new Error(`PROPERTY_SEED is an integer or \`random\`, not \`${wanted}\``);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
