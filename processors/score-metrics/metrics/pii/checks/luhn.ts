/** The check of ISO/IEC 7812-1, Annex B: doubling every second digit from the right, the sum ends in 0. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let doubled = false;
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = digits.charCodeAt(i) - 48;
    sum += doubled ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit;
    doubled = !doubled;
  }
  return sum % 10 === 0;
}
