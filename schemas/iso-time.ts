const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * An ISO 8601 timestamp as microseconds since 1970; undefined if the text is not one. Digits below a
 * microsecond are cut off. A text without a time zone is read as UTC.
 */
export function isoMicros(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = found;
  const offset = offsetMinutes(zone);
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Date.parse accepts the 31st of every month, and the hour 24, and then returns another day.
  if (offset === undefined || Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day)) return undefined;
  return (ms - offset * 60_000) * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
