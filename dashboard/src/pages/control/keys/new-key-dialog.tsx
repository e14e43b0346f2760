import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { KeyRequest } from '../../../api/client.js';
import { Button } from '../../../shared/button.js';
import { DialogActions } from '../../../shared/dialog-actions.js';
import { Dialog } from '../../../shared/dialog.js';
import { reasonOf } from '../../../shared/reason-of.js';

interface NewKeyDialogProps {
  readonly make: (request: KeyRequest) => Promise<void>;
  readonly close: () => void;
}

const scopes = [
  ['metrics', 'score prompts and responses'],
  ['events', 'send custom events'],
  ['agent', 'be the key of an agent'],
  ['read', 'read what is stored, and view this dashboard'],
  ['admin', 'make and revoke keys'],
] as const;
const dayMs = 86_400_000;

/** Asks for the attributes of a new key. */
export function NewKeyDialog({ make, close }: NewKeyDialogProps) {
  const making = useMutation({ mutationFn: (form: FormData) => make(keyRequestOf(form)) });
  const { isPending: isBusy, error } = making;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    making.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title="New API key" close={close} isByButtonAlone={isBusy}>
      <form onSubmit={submit}>
        <label>
          <span>Name</span>
          <input name="name" required maxLength={100} placeholder="checkout service" autoFocus />
        </label>
        <fieldset>
          <legend>What it may do</legend>
          {scopes.map(([scope, meaning]) => (
            <label key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'metrics'} />{' '}
              {scope}: {meaning}
            </label>
          ))}
        </fieldset>
        <label>
          <span>Expires</span>
          <select name="days" defaultValue="0">
            <option value="0">never</option>
            <option value="7">in 7 days</option>
            <option value="30">in 30 days</option>
            <option value="90">in 90 days</option>
            <option value="365">in a year</option>
          </select>
        </label>
        {error === null ? null : <p role="alert">{reasonOf(error)}</p>}
        <DialogActions>
          <Button disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            Make the key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function keyRequestOf(form: FormData): KeyRequest {
  const days = Number(form.get('days'));
  const name = form.get('name');
  const chosen = form.getAll('scopes');
  return {
    name: typeof name === 'string' ? name : '',
    scopes: scopes.map(([scope]) => scope).filter((scope) => chosen.includes(scope)),
    expires_at: days > 0 ? new Date(Date.now() + days * dayMs).toISOString() : null,
  };
}
