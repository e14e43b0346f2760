import type { Zone } from './format.js';

const name = 'telltale-zone';

export const zoneOf = (text: string | null): Zone | undefined =>
  text === 'local' || text === 'utc' ? text : undefined;

/** The zone that was chosen last, on whatever page; an address that names one wins. */
export const storedZone = (): Zone => zoneOf(localStorage.getItem(name)) ?? 'utc';

export function storeZone(zone: Zone): void {
  localStorage.setItem(name, zone);
}
