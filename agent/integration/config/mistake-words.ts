import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const kinds: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  boolean: 'true or false, without quotes',
  number: 'a number, without quotes',
  int: 'a whole number, without quotes',
  object: 'an object, as in {}',
  array: 'a list, as in []',
};

/**
 * What is wrong with a value and what it must be, without the value; undefined if the form's message is
 * better.
 */
export function wordsOf(issue: RawIssue): string | undefined {
  if (issue.code === 'invalid_value') {
    const wanted = (issue.values as readonly unknown[]).map((value) => JSON.stringify(value)).join(' or ');
    return issue.input === undefined ? `is missing: give ${wanted}` : `must be ${wanted}`;
  }
  if (issue.code === 'invalid_type') {
    const wanted = kinds[String(issue.expected)] ?? String(issue.expected);
    const cure = issue.input === null ? '; leave it out for the default' : '';
    return `must be ${wanted}${cure}`;
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : '';
    return issue.code === 'too_small'
      ? `must be ${String(issue.minimum)}${unit} or more`
      : `must be ${String(issue.maximum)}${unit} or less`;
  }
  return undefined;
}
