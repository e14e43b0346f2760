import type { Answer } from '../../api/client.js';

type Cluster = Answer<'/api/v1/clusters'>['clusters'][number];

/** Whether a deduction is for full disks, by its code. */
export const isOfDisk = (code: string): boolean => code.startsWith('disk_');

/** The costliest of these deductions; its reason says what was found and what to do. */
export const worstOf = (deductions: Cluster['deductions']): Cluster['deductions'][number] | undefined =>
  deductions.toSorted((one, other) => other.points - one.points)[0];

/** Why a cluster is unhealthy, or unknown, and what to do; empty if it is healthy. */
export function whyOf({ reason, deductions }: Pick<Cluster, 'reason' | 'deductions'>): string {
  const worst = worstOf(deductions);
  const others = deductions.length - 1;
  const more = others < 1 ? '' : ` And ${others} more ${others === 1 ? 'reason' : 'reasons'}.`;
  return [reason ?? '', worst === undefined ? '' : `${worst.reason}${more}`]
    .filter((text) => text !== '')
    .join(' ');
}
