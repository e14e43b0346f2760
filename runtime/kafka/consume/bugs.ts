import { reasonOf, TelltaleError } from '../../errors.js';

/**
 * An error that nothing outside this process explains, as the error that ends the process. Undefined for an outage,
 * which is waited for, and for a partition that was taken away. A bug would only repeat if it were retried.
 */
export function bugIn(stage: string, error: unknown): TelltaleError | undefined {
  if (error instanceof TelltaleError) return error.code === 'STEP_FAILED' ? error : undefined;
  if (error instanceof Error && (error.name.startsWith('KafkaJS') || error.name === 'PartitionLost'))
    return undefined;
  return new TelltaleError('STEP_FAILED', { stage, reason: reasonOf(error) }, { cause: error });
}
