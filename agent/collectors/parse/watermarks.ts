import type { Unavailable } from '../../../schemas/snapshots.js';
import type { Watermark, WatermarksSection } from '../../../schemas/snapshots/topology-section.js';
import { amountOf, fieldsOf, flagAt, valueAt } from './answer.js';

const prefix = 'cluster.routing.allocation.disk';

type Source = Watermark['source'];

/** One setting of the cluster. Each setting is chosen by itself: transient, else persistent, else default. */
interface Setting {
  readonly text: string;
  readonly source: Source;
}

/**
 * Elasticsearch's own defaults (server source, DiskThresholdSettings, 7.x to 9.x), used if the settings can't
 * be read. The headrooms exist from 8.x on.
 */
const assumed: Readonly<Record<string, string>> = {
  threshold_enabled: 'true',
  // Exists from 7.8 on; before that, a cluster's only data node was never evaluated.
  'watermark.enable_for_single_data_node': 'false',
  'watermark.low': '85%',
  'watermark.high': '90%',
  'watermark.flood_stage': '95%',
  'watermark.flood_stage.frozen': '95%',
  'watermark.flood_stage.frozen.max_headroom': '20GB',
};

const assumedFrom8: Readonly<Record<string, string>> = {
  'watermark.low.max_headroom': '200GB',
  'watermark.high.max_headroom': '150GB',
  'watermark.flood_stage.max_headroom': '100GB',
};

/** Settings are nested, flat, or mixed: nested objects with dotted leaf keys. All become `watermark.low` and so on. */
function flatten(value: unknown, path: string, into: Map<string, string>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value))
      flatten(inner, path === '' ? key : `${path}.${key}`, into);
  } else if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    into.set(path, String(value));
  }
}

function settingsOf(answer: unknown): ReadonlyMap<string, Setting> {
  const found = new Map<string, Setting>();
  for (const [group, source] of [
    ['defaults', 'default'],
    ['persistent', 'persistent'],
    ['transient', 'transient'],
  ] as const) {
    const flat = new Map<string, string>();
    flatten(fieldsOf(valueAt(answer, group)), '', flat);
    for (const [key, text] of flat) {
      if (key.startsWith(`${prefix}.`)) found.set(key.slice(prefix.length + 1), { text, source });
    }
  }
  return found;
}

const unitBytes: Readonly<Record<string, number>> = {
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  p: 1024 ** 5,
};

/**
 * `50gb`, `50g`, `1.5TB`, `1024`: bytes, as Elasticsearch parses sizes (ByteSizeValue). Null if it is not a
 * size, and for -1, which means "none".
 */
function bytesOf(text: string): number | null {
  const parsed = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)b?$/i.exec(text.trim());
  if (parsed === null) return null;
  return Math.floor(Number(parsed[1]) * (unitBytes[(parsed[2] ?? '').toLowerCase()] ?? 1));
}

/** A watermark in any of its forms: `85%` and `0.85` say how much may be used, `50gb` how much must stay free. */
export function parseWatermark({ text, source }: Setting): Watermark {
  const trimmed = text.trim();
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(trimmed)?.[1];
  const ratio = percent === undefined ? amountOf(trimmed) : Number(percent) / 100;
  const isRatio = ratio !== null && ratio <= 1;
  return {
    text: trimmed.slice(0, 64),
    source,
    used_ratio: isRatio ? ratio : null,
    free_bytes: isRatio ? null : bytesOf(trimmed),
  };
}

const isReadable = ({ used_ratio, free_bytes }: Watermark): boolean =>
  used_ratio !== null || free_bytes !== null;

/** Why a watermark is assumed although the settings were read: its text can't be parsed. */
export function unreadWatermarks(answer: unknown): readonly Unavailable[] {
  const read = settingsOf(answer);
  return ['low', 'high', 'flood_stage', 'flood_stage.frozen'].flatMap((key) => {
    const setting = read.get(`watermark.${key}`);
    const mark = setting && parseWatermark(setting);
    if (mark === undefined || isReadable(mark)) return [];
    const reason = `watermark.${key} is ${JSON.stringify(mark.text)}, which is not a percentage, ratio or size: ${assumed[`watermark.${key}`]} is assumed`;
    return [{ field: key.replace('.', '_'), code: 'failed' as const, reason }];
  });
}

/**
 * From `_cluster/settings?include_defaults=true`; `undefined` if it could not be read. Then Elasticsearch's
 * defaults are used, each marked `assumed`. A single setting whose text can't be read also gets its default.
 */
export function parseWatermarks(answer: unknown, major: number | null): WatermarksSection {
  const from8 = (major ?? 7) >= 8;
  const read = settingsOf(answer);
  const defaults = from8 ? { ...assumed, ...assumedFrom8 } : assumed;
  const settings = new Map([
    ...Object.entries(read.size === 0 ? defaults : assumed).map(([key, text]): [string, Setting] => [
      key,
      { text, source: 'assumed' },
    ]),
    ...read,
  ]);
  const watermark = (key: string): Watermark => {
    const mark = parseWatermark(settings.get(`watermark.${key}`) ?? { text: '', source: 'assumed' });
    if (isReadable(mark)) return mark;
    return parseWatermark({ text: assumed[`watermark.${key}`] ?? '', source: 'assumed' });
  };
  const headroom = (key: string): number | null =>
    bytesOf(settings.get(`watermark.${key}.max_headroom`)?.text ?? '');
  const flag = (key: string): boolean | null => flagAt({ value: settings.get(key)?.text }, 'value');
  return {
    threshold_enabled: flag('threshold_enabled'),
    enable_for_single_data_node: from8 ? true : flag('watermark.enable_for_single_data_node'),
    low: watermark('low'),
    high: watermark('high'),
    flood_stage: watermark('flood_stage'),
    flood_stage_frozen: watermark('flood_stage.frozen'),
    low_max_headroom_bytes: headroom('low'),
    high_max_headroom_bytes: headroom('high'),
    flood_stage_max_headroom_bytes: headroom('flood_stage'),
    flood_stage_frozen_max_headroom_bytes: headroom('flood_stage.frozen'),
  };
}
