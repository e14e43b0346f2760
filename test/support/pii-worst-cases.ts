/** Texts that make a careless regular expression try every split: long runs, and runs that almost match. */
const worstCases: Readonly<Record<string, string>> = {
  digits: '1',
  'digits in pairs': '12 ',
  'digits behind dots': '1.',
  'digits behind hyphens': '4539-',
  'open brackets': '(1',
  'plus signs': '+1',
  letters: 'a',
  capitals: 'A',
  'labels of a host': 'a.',
  'hyphens of a host': 'a-',
  dots: '.',
  'colons and digits': '1:',
  'double colons': '::1 ',
  'at signs': 'a@',
  'at signs and dots': '@a.',
  'beginnings of IBANs': 'DE75 ',
  'an endless IBAN': 'DE755121',
  'beginnings of addresses': 'bc1q',
  'letters and digits': 'A1',
  schemes: 'http://a.co/(',
  'closing brackets': 'a.co/))))',
  phones: '212-736-5000 ',
  spaces: ' ',
  'lone surrogates': '\ud83d',
};
const length = 100_000;

/** Names of texts of 100,000 characters, and the texts. */
export const worstTexts: readonly (readonly [string, string])[] = Object.entries(worstCases).map(
  ([name, unit]) => [name, unit.repeat(Math.ceil(length / unit.length)).slice(0, length)],
);
