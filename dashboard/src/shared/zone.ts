import type { Zone } from './format.js';

const name = 'telltale-zone';

export const zoneOf = (text: string | null): Zone | undefined =>
  text === 'local' || text === 'utc' ? text : undefined;

/** The zone that was last chosen, on any page; a zone in the address takes precedence. */
export const storedZone = (): Zone => zoneOf(localStorage.getItem(name)) ?? 'utc';

export function storeZone(zone: Zone): void {
  localStorage.setItem(name, zone);
}
