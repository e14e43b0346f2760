import type { Absence } from './situation.js';

interface Named {
  readonly name: string;
  readonly absence: Absence | null;
}

const marks: Readonly<Record<Absence, string>> = {
  silent: 'not answering',
  doubtful: 'may have left',
};

/** A node's name; a node that is evaluated by its last report is marked as absent. */
export const nameOf = ({ name, absence }: Named): string =>
  absence === null ? name : `${name} [${marks[absence]}]`;

/** Orders nodes for a sentence: those that answer come before those that are absent. */
export const presentFirst = (one: Pick<Named, 'absence'>, other: Pick<Named, 'absence'>): number =>
  Number(one.absence !== null) - Number(other.absence !== null);
