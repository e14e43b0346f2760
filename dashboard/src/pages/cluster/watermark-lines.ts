import type { Answer } from '../../api/client.js';

type Watermarks = Answer<'/api/v1/clusters/{cluster_uuid}'>['watermarks'];

const names = [
  ['low', 'low watermark'],
  ['high', 'high watermark'],
  ['flood_stage', 'flood stage'],
] as const;

/** The disk watermarks as lines across a chart of the figure that they limit; no lines for other figures. */
export function watermarkLines(
  watermarks: Watermarks,
  figure: string,
): readonly { readonly name: string; readonly value: number }[] {
  if (watermarks === null || watermarks.threshold_enabled === false) return [];
  return names.flatMap(([key, name]) => {
    const { used_ratio: ratio, free_bytes: free } = watermarks[key];
    const value = figure === 'fs_used_ratio' ? ratio : figure === 'fs_available_bytes' ? free : null;
    return value === null ? [] : [{ name, value }];
  });
}
