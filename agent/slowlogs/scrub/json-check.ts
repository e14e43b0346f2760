import type { Units } from './units.js';

/**
 * Tells whether stretches of a text are JSON, which may have been escaped. `JSON.parse` says so as well, but throws where
 * it is none, and a text of a megabyte may hold two hundred thousand strings that only begin as JSON.
 */
export class JsonCheck {
  #at = 0;
  #end = 0;
  #depth = 0;
  /** The character read last, its escapes resolved; `ended` or `unsound` where there is none. */
  #code = 0;
  /** How many brackets are open. */
  #open = 0;
  /** Which of them are those of objects, the innermost last. What is behind those that are open is of earlier ones. */
  readonly #objects: boolean[] = [];

  constructor(private readonly units: Units) {}

  /** Whether a stretch that was escaped so many times is a value of JSON. */
  isValue(start: number, end: number, depth: number): boolean {
    this.#at = start;
    this.#end = end;
    this.#depth = depth;
    this.#open = 0;
    this.#next();
    do {
      if (!this.#begins()) return false;
      while (this.#closes());
    } while (this.#goesOn());
    return this.#code === ended && this.#open === 0;
  }

  #isInObject(): boolean {
    return this.#open > 0 && this.#objects[this.#open - 1] === true;
  }

  /** Reads up to the end of a scalar or of the brackets that open. */
  #begins(): boolean {
    for (;;) {
      this.#skipBlanks();
      if (this.#isInObject() && !this.#isKey()) return false;
      const bracket = this.#code;
      if (bracket !== openBrace && bracket !== openBracket) return this.#isScalar();
      this.#objects[this.#open] = bracket === openBrace;
      this.#open += 1;
      this.#next();
      this.#skipBlanks();
      if (this.#isClosing()) return true;
    }
  }

  #isClosing(): boolean {
    return this.#code === (this.#isInObject() ? closeBrace : closeBracket);
  }

  #closes(): boolean {
    this.#skipBlanks();
    if (this.#open === 0 || !this.#isClosing()) return false;
    this.#open -= 1;
    this.#next();
    return true;
  }

  #goesOn(): boolean {
    if (this.#open === 0 || this.#code !== comma) return false;
    this.#next();
    return true;
  }

  #isKey(): boolean {
    if (!this.#isString()) return false;
    this.#skipBlanks();
    if (this.#code !== colon) return false;
    this.#next();
    this.#skipBlanks();
    return true;
  }

  #isScalar(): boolean {
    switch (this.#code) {
      case quotationMark:
        return this.#isString();
      case letterT:
        return this.#isWord('true');
      case letterF:
        return this.#isWord('false');
      case letterN:
        return this.#isWord('null');
      default:
        return this.#isNumber();
    }
  }

  #isWord(word: string): boolean {
    for (let at = 0; at < word.length; at += 1) {
      if (this.#code !== word.charCodeAt(at)) return false;
      this.#next();
    }
    return true;
  }

  #isNumber(): boolean {
    if (this.#code === hyphen) this.#next();
    if (this.#code === zero) this.#next();
    else if (!this.#areDigits()) return false;
    if (this.#code === dot) {
      this.#next();
      if (!this.#areDigits()) return false;
    }
    if ((this.#code | 32) !== letterE) return true;
    this.#next();
    if (this.#code === plus || this.#code === hyphen) this.#next();
    return this.#areDigits();
  }

  #areDigits(): boolean {
    if (this.#code < zero || this.#code > nine) return false;
    while (this.#code >= zero && this.#code <= nine) this.#next();
    return true;
  }

  #isString(): boolean {
    if (this.#code !== quotationMark) return false;
    for (;;) {
      while (this.#at < this.#end && isPlain(this.units.at(this.#at))) this.#at += 1;
      this.#next();
      if (this.#code === quotationMark) {
        this.#next();
        return true;
      }
      if (this.#code === backslash) {
        this.#next();
        if (this.#code === letterU ? !this.#areHexadecimal() : meantBy(this.#code) === unsound) return false;
      } else if (this.#code < blank) return false;
    }
  }

  #areHexadecimal(): boolean {
    for (let digit = 0; digit < 4; digit += 1) {
      this.#next();
      if (hexadecimal(this.#code) === unsound) return false;
    }
    return true;
  }

  #skipBlanks(): void {
    while (
      this.#code === blank ||
      this.#code === lineFeed ||
      this.#code === tab ||
      this.#code === carriageReturn
    )
      this.#next();
  }

  #next(): void {
    const code = this.units.at(this.#at);
    if (this.#at < this.#end && isPlain(code)) {
      this.#at += 1;
      this.#code = code;
    } else this.#code = this.#read(this.#depth);
  }

  /** The next character with its escapes resolved so many times. */
  #read(depth: number): number {
    if (depth === 0) {
      if (this.#at === this.#end) return ended;
      this.#at += 1;
      return this.units.at(this.#at - 1);
    }
    const code = this.#read(depth - 1);
    if (code !== backslash) return code === quotationMark || (code >= 0 && code < blank) ? unsound : code;
    const letter = this.#read(depth - 1);
    if (letter !== letterU) return meantBy(letter);
    let unit = 0;
    for (let digit = 0; digit < 4; digit += 1) {
      const value = hexadecimal(this.#read(depth - 1));
      if (value === unsound) return unsound;
      unit = unit * 16 + value;
    }
    return unit;
  }
}

const [ended, unsound] = [-1, -2];
const [tab, lineFeed, carriageReturn, blank, quotationMark, plus, comma, hyphen, dot, zero, nine, colon] = [
  9, 10, 13, 32, 34, 43, 44, 45, 46, 48, 57, 58,
];
const [openBracket, backslash, closeBracket, letterE, letterF, letterN, letterT, letterU] = [
  91, 92, 93, 101, 102, 110, 116, 117,
];
const [openBrace, closeBrace] = [123, 125];

/** It says the same however often it was escaped. */
const isPlain = (code: number): boolean => code >= blank && code !== quotationMark && code !== backslash;

function meantBy(letter: number): number {
  switch (letter) {
    case quotationMark:
    case backslash:
    case 47:
      return letter;
    case 98:
      return 8;
    case letterF:
      return 12;
    case letterN:
      return lineFeed;
    case 114:
      return carriageReturn;
    case letterT:
      return tab;
    default:
      return unsound;
  }
}

function hexadecimal(code: number): number {
  if (code >= zero && code <= nine) return code - zero;
  const letter = code | 32;
  return letter >= 97 && letter <= letterF ? letter - 87 : unsound;
}
