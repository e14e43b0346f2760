import type {
  Watermark as Configured,
  WatermarksSection,
} from '../../../schemas/snapshots/topology-section.js';
import { defaultWatermarks } from '../rules/disk-limits.js';
import type { Limit, Watermark, Watermarks } from '../rules/situation.js';

/**
 * The configured watermarks, in the form of the rules; Elasticsearch's defaults if a setting is unknown. A
 * cluster that lost its other data nodes does not count as one with a single data node: its watermarks apply
 * again as soon as one is back.
 */
export function watermarksOf(
  section: WatermarksSection | undefined,
  version: string | null,
  reason: string,
  isSingleDataNode: boolean,
): Watermarks {
  const major = Number.parseInt(version ?? '', 10);
  // 7.x allocates to the only data node of a cluster regardless of its disk space, unless it is told not to
  // (DiskThresholdDecider). Above the flood stage it makes indices read-only all the same
  // (DiskThresholdMonitor). From 8.0 on there is no exception.
  const floodStageOnly = major === 7 && isSingleDataNode && section?.enable_for_single_data_node !== true;
  const defaults = { ...defaultWatermarks(major >= 8, reason), floodStageOnly };
  if (section === undefined) return defaults;
  const { low, high, flood_stage: flood, flood_stage_frozen: frozen } = section;
  const assumed = [low, high, flood].some(({ source }) => source === 'assumed');
  return {
    assumed: assumed ? reason : null,
    enabled: section.threshold_enabled !== false,
    floodStageOnly,
    low: limitOf(low, section.low_max_headroom_bytes, defaults.low),
    high: limitOf(high, section.high_max_headroom_bytes, defaults.high),
    floodStage: limitOf(flood, section.flood_stage_max_headroom_bytes, defaults.floodStage),
    floodStageFrozen: limitOf(
      frozen,
      section.flood_stage_frozen_max_headroom_bytes,
      defaults.floodStageFrozen,
    ),
  };
}

function limitOf(configured: Configured, maxHeadroomBytes: number | null, fallback: Limit): Limit {
  const watermark = formOf(configured);
  return watermark === undefined
    ? fallback
    : { text: configured.text ?? 'unnamed', watermark, maxHeadroomBytes };
}

function formOf({ used_ratio: usedRatio, free_bytes: freeBytes }: Configured): Watermark | undefined {
  if (usedRatio !== null) return { usedRatio };
  return freeBytes === null ? undefined : { freeBytes };
}
