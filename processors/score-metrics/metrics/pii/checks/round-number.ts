const round = /0{5}$/;

/** Whether digits end like an amount: no number that is assigned to somebody ends like this. */
export function isRoundNumber(digits: string): boolean {
  return round.test(digits);
}
