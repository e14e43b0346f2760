import { useState } from 'react';
import { Button } from './button.js';
import { formatMillis, formatTimestamp, zoneName } from './format.js';
import { RangeDialog } from './range-dialog.js';
import { followed, frozen, isTooLong, longestRangeDays, spans } from './time-range.js';
import { useAddress } from './use-address.js';

/** Chooses the period that is shown: the last minutes, or a fixed period. */
export function TimeRangePicker() {
  const { range, zone, get, setRange } = useAddress();
  const [isChoosing, setChoosing] = useState(false);
  const choose = (minutes: number): void => setRange({ kind: 'last', minutes });
  return (
    <>
      {range.kind === 'fixed' ? (
        <>
          <span>{`${formatTimestamp(range.from, zone)} to ${formatTimestamp(range.to, zone)} ${zoneName(zone)}`}</span>
          {isTooLong(range) ? (
            <span className="mistake">{`Only its last ${longestRangeDays} days are read.`}</span>
          ) : null}
          <Button key="hold" data-shortcut="." onClick={() => setRange(followed(get('last')))}>
            Follow the clock again
          </Button>
        </>
      ) : (
        <>
          <label>
            <span className="visually-hidden">Time range</span>
            <select value={range.minutes} onChange={(event) => choose(Number(event.target.value))}>
              {spans.some(({ minutes }) => minutes === range.minutes) ? null : (
                <option value={range.minutes}>{`Last ${formatMillis(range.minutes * 60_000)}`}</option>
              )}
              {spans.map(({ minutes, label }) => (
                <option key={minutes} value={minutes}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <Button
            key="hold"
            data-shortcut="."
            onClick={() => setRange(frozen(range, Date.now()))}
            title="Hold the range where it is"
          >
            Freeze
          </Button>
        </>
      )}
      <Button onClick={() => setChoosing(true)}>From … to …</Button>
      {isChoosing ? <RangeDialog close={() => setChoosing(false)} /> : null}
    </>
  );
}
