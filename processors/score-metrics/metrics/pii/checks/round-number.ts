const round = /0{5}$/;

/** Whether digits end as amounts do: no number that was given to somebody ends like this. */
export function isRoundNumber(digits: string): boolean {
  return round.test(digits);
}
