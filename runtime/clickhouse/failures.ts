import { ClickHouseError } from '@clickhouse/client';
import { reasonOf, TelltaleError } from '../errors.js';

/**
 * Codes for rows that ClickHouse can never take: their content does not parse or does not fit the column.
 * Every other error can pass: an operator fixes a missing grant or table, and nothing is skipped until then.
 */
const rejections = new Set(
  [6, 25, 26, 27, 38, 41, 53, 69, 70, 72, 117, 130, 131, 190, 349, 376, 395, 407, 441, 457, 691].map(String),
);

/** Codes for too many rows (read or returned), time or memory. A server short of memory is an outage. */
const overLimits = new Set([158, 159, 160, 241, 396].map(String));

export const isOverLimit = (cause: unknown): boolean =>
  cause instanceof ClickHouseError && overLimits.has(cause.code) && !cause.message.includes('(total)');

const authenticationFailed = '516';
const accounts =
  'Set CLICKHOUSE_WRITER_USER and CLICKHOUSE_WRITER_PASSWORD (`npm start` keeps them in .telltale/secrets.env), and for the edge CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.';

/** What a failed call means, as an error of the closed list. */
export function failureOf(cause: unknown, url: string): TelltaleError {
  if (cause instanceof ClickHouseError) {
    return isRejection(cause)
      ? new TelltaleError('ROWS_REJECTED', { reason: firstLine(cause) }, { cause })
      : new TelltaleError('CLICKHOUSE_REFUSED', { url, reason: refusalOf(cause) }, { cause });
  }
  return new TelltaleError('CLICKHOUSE_UNREACHABLE', { url }, { cause });
}

const refusalOf = (error: ClickHouseError): string =>
  error.code === authenticationFailed ? `${firstLine(error).trim()} ${accounts}` : firstLine(error);

/** An unreadable Avro value has no code of its own: it shares that of any exception of a library. */
const isRejection = (error: ClickHouseError): boolean =>
  (rejections.has(error.code) && !isMissingColumn(error)) || error.message.includes('avro::Exception');

/** A field that the table lacks has the code of bad data, but means that a migration is missing: nothing may be skipped. */
const isMissingColumn = ({ message }: ClickHouseError): boolean => /unknown field/i.test(message);

export const firstLine = (error: unknown): string => (reasonOf(error).split('\n')[0] ?? '').slice(0, 500);
