import { reasonOf, TelltaleError } from '../../errors.js';

/**
 * An error that nothing outside of this process explains, as the error that ends the process; undefined for one that
 * does: an outage, which is waited for, or a partition that was taken away. Tried again, a bug would only repeat itself.
 */
export function bugIn(stage: string, error: unknown): TelltaleError | undefined {
  if (error instanceof TelltaleError) return error.code === 'STEP_FAILED' ? error : undefined;
  if (error instanceof Error && (error.name.startsWith('KafkaJS') || error.name === 'PartitionLost'))
    return undefined;
  return new TelltaleError('STEP_FAILED', { stage, reason: reasonOf(error) }, { cause: error });
}
