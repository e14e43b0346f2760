import fc from 'fast-check';

/** Multiplies the tries of `npm test`: set by `npm run test:long` and `npm run soak`. */
const factor = Number(process.env['PROPERTY_RUNS_FACTOR'] ?? 1);
if (!(factor > 0)) throw new Error('PROPERTY_RUNS_FACTOR is a number over 0');

/** The number of tries of a property, given its number in `npm test`. */
export const runs = (inNpmTest: number): number => Math.ceil(inNpmTest * factor);

/**
 * Seeds every property of the run. The default seed is fixed, so that results depend only on the code;
 * `PROPERTY_SEED=random` draws a new seed each run, to find rare counterexamples.
 */
export function seedProperties(wanted = process.env['PROPERTY_SEED'] ?? '1'): void {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });
  if (wanted === 'random') return;
  const seed = Number(wanted);
  if (!Number.isInteger(seed))
    throw new Error(`PROPERTY_SEED is an integer or \`random\`, not \`${wanted}\``);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
