import { useState, type SubmitEvent } from 'react';
import { Button } from './button.js';
import { DialogActions } from './dialog-actions.js';
import { Dialog } from './dialog.js';
import { zoneName } from './format.js';
import { fieldOf, rangeOfFields } from './range-fields.js';
import { boundsOf } from './time-range.js';
import { useAddress } from './use-address.js';

/** Asks for the two ends of a range, in the zone of the page. */
export function RangeDialog({ close }: { readonly close: () => void }) {
  const { range, zone, setRange } = useAddress();
  const [began] = useState(() => boundsOf(range, Date.now()));
  const [from, setFrom] = useState(fieldOf(began.from, zone));
  const [to, setTo] = useState(fieldOf(began.to, zone));
  const [mistake, setMistake] = useState<string>();
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const chosen = rangeOfFields(from, to, zone);
    if ('mistake' in chosen) setMistake(chosen.mistake);
    else {
      setRange(chosen);
      close();
    }
  };
  return (
    <Dialog title={`Time range (${zoneName(zone)})`} close={close}>
      <form onSubmit={submit} noValidate>
        <TimestampField label="From" value={from} change={setFrom} />
        <TimestampField label="To" value={to} change={setTo} />
        {mistake === undefined ? null : <p role="alert">{mistake}</p>}
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary">
            Show it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface TimestampFieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

function TimestampField({ label, value, change }: TimestampFieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input type="datetime-local" step={1} value={value} onChange={(event) => change(event.target.value)} />
    </label>
  );
}
