import type { Answer } from '../../api/client.js';

/** Personal data in a text, by code points; the end is exclusive. */
export interface Entity {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface Piece {
  readonly text: string;
  /** The kind of personal data. */
  readonly type?: string;
}

export type Side = 'prompt' | 'response';
type MetricObjects = Readonly<Record<string, unknown>>;

/** The entities that the scorer found in a text; none if the answer does not have the expected form. */
export function entitiesOf(metrics: MetricObjects, side: Side): readonly Entity[] {
  const found = firstText(metrics, `${side}.pii_engine.result`);
  return found === undefined ? [] : parsed(found);
}

/** The group of sensitive patterns that a text matches. */
export const patternOf = (metrics: MetricObjects, side: Side): string | undefined =>
  firstText(metrics, `${side}.has_patterns`);

export type PatternPlaces = Answer<'/api/v1/results/{task_id}'>['pattern_places'];

/** The personal data, and the pattern, unless it overlaps one of them. */
export function marksOf(entities: readonly Entity[], place?: PatternPlaces[string]): readonly Entity[] {
  if (place === undefined) return entities;
  const isMarked = entities.some(({ start, end }) => start < place.end && end > place.start);
  return isMarked ? entities : [...entities, { type: 'sensitive pattern', ...place }];
}

/** Whether the pattern's kind is among the personal data, and so is marked already. */
export const hasMarkOf = (pattern: string, entities: readonly Entity[]): boolean =>
  entities.some(({ type }) => pattern.toLowerCase().startsWith(wordsOf(type).replace(/^us /, '')));

/** The kind of personal data, as people write it. */
export const wordsOf = (type: string): string => type.toLowerCase().replaceAll('_', ' ');

function firstText(metrics: MetricObjects, figure: string): string | undefined {
  for (const object of Object.values(metrics)) {
    const found = (object as MetricObjects | null)?.[figure];
    if (typeof found === 'string') return found;
  }
  return undefined;
}

function parsed(text: string): readonly Entity[] {
  try {
    const entities = JSON.parse(text) as readonly { type: string; start: string; end: string }[];
    return entities.map(({ type, start, end }) => ({ type, start: Number(start), end: Number(end) }));
  } catch {
    return [];
  }
}

/** The text in pieces, with marked entities. Offsets are code points; entities inside others are skipped. */
export function markedUp(text: string, entities: readonly Entity[]): readonly Piece[] {
  const points = Array.from(text);
  const pieces: Piece[] = [];
  let written = 0;
  for (const { type, start, end } of [...entities].sort((one, other) => one.start - other.start)) {
    if (start < written || end <= start || end > points.length) continue;
    if (start > written) pieces.push({ text: points.slice(written, start).join('') });
    pieces.push({ text: points.slice(start, end).join(''), type });
    written = end;
  }
  if (written < points.length) pieces.push({ text: points.slice(written).join('') });
  return pieces;
}
