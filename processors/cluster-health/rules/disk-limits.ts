import type { DiskState, Limit, Watermarks } from './situation.js';

const gigabyte = 1_073_741_824;

/** Elasticsearch's own defaults; the headrooms are those of 8.x and later, and were absent before. */
export function defaultWatermarks(hasHeadroom: boolean, assumed: string): Watermarks {
  const limit = (text: string, usedRatio: number, headroom: number): Limit => ({
    text,
    watermark: { usedRatio },
    maxHeadroomBytes: hasHeadroom ? headroom * gigabyte : null,
  });
  return {
    assumed,
    enabled: true,
    floodStageOnly: false,
    low: limit('85%', 0.85, 200),
    high: limit('90%', 0.9, 150),
    floodStage: limit('95%', 0.95, 100),
    // The frozen tier has had its headroom since its introduction (7.13).
    floodStageFrozen: { ...limit('95%', 0.95, 20), maxHeadroomBytes: 20 * gigabyte },
  };
}

/** Bytes that must stay free on a disk: a share of the disk, bounded by the headroom, or a number of bytes. */
export function freeBytesWanted({ watermark, maxHeadroomBytes }: Limit, totalBytes: number): number {
  if ('freeBytes' in watermark) return watermark.freeBytes;
  const share = totalBytes * (1 - watermark.usedRatio);
  return maxHeadroomBytes === null ? share : Math.min(share, maxHeadroomBytes);
}

export type DiskStage = 'low' | 'high' | 'flood_stage';

/** The highest watermark that a disk has exceeded, and its limit. */
export function stageOf(
  disk: DiskState,
  watermarks: Watermarks,
): { readonly stage: DiskStage; readonly limit: Limit } | undefined {
  const passes = (limit: Limit): boolean => disk.availableBytes < freeBytesWanted(limit, disk.totalBytes);
  const { low, high, floodStage, floodStageFrozen } = watermarks;
  if (disk.frozenOnly) {
    return passes(floodStageFrozen) ? { stage: 'flood_stage', limit: floodStageFrozen } : undefined;
  }
  if (passes(floodStage)) return { stage: 'flood_stage', limit: floodStage };
  if (watermarks.floodStageOnly) return undefined;
  if (passes(high)) return { stage: 'high', limit: high };
  return passes(low) ? { stage: 'low', limit: low } : undefined;
}
