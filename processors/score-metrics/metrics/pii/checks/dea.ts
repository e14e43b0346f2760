/**
 * The check digit of a DEA registration: its seventh digit is the last digit of the sum of the 1st, 3rd and
 * 5th plus twice the sum of the 2nd, 4th and 6th.
 */
export function passesDeaCheck(registration: string): boolean {
  const digits = Array.from(registration.slice(-7), Number);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, check = 0] = digits;
  return (a + c + e + 2 * (b + d + f)) % 10 === check;
}
