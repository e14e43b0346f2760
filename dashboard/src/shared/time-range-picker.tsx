import { Button } from './button.js';
import { formatMillis, formatTimestamp, zoneName } from './format.js';
import { frozen, spans } from './time-range.js';
import { useAddress } from './use-address.js';

/** What stretch of time is looked at: the last so many minutes, or one that stands still. */
export function TimeRangePicker() {
  const { range, zone, setRange } = useAddress();
  const choose = (minutes: number): void => setRange({ kind: 'last', minutes });
  const freeze = (): void => setRange(frozen(range, Date.now()));
  if (range.kind === 'fixed')
    return (
      <>
        <span>{`${formatTimestamp(range.from, zone)} to ${formatTimestamp(range.to, zone)} ${zoneName(zone)}`}</span>
        <Button onClick={() => choose(1_440)}>Follow the clock again</Button>
      </>
    );
  return (
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
      <Button onClick={freeze} title="Hold the range where it is">
        Freeze
      </Button>
    </>
  );
}
