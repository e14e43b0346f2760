import type { Topic } from './topic.js';

/**
 * Where the records of a topic go that can't be decoded or processed. The value is the raw bytes as they were;
 * origin, stage, error code and attempts are headers.
 */
export function deadLettersOf(source: Topic | string): string {
  return `${typeof source === 'string' ? source : source.name}.dead-letters`;
}

export const deadLetterHeaders = {
  topic: 'telltale-origin-topic',
  partition: 'telltale-origin-partition',
  offset: 'telltale-origin-offset',
  stage: 'telltale-stage',
  code: 'telltale-error-code',
  reason: 'telltale-error-reason',
  attempts: 'telltale-attempts',
} as const;
