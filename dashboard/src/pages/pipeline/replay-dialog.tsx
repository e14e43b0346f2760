import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { paths } from '../../../generated/edge.js';
import { call } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { DialogActions } from '../../shared/dialog-actions.js';
import { Dialog } from '../../shared/dialog.js';
import { formatNumber } from '../../shared/format.js';
import { reasonOf } from '../../shared/reason-of.js';
import type { WhichLetters } from './letter-commands.js';
import { outcomeOf, type ReplayOutcome } from './replay-outcome.js';

const path = '/api/v1/dead-letters';
type Replayed =
  paths['/api/v1/dead-letters/replay']['post']['responses']['200']['content']['application/json'];

/** The most letters that the edge sends back per request. */
export const mostAtOnce = 1_000;

/** The open letters that the person wants to send back. */
export interface WantedReplay {
  readonly which: WhichLetters;
  readonly open: number;
}

interface ReplayDialogProps {
  readonly wanted: WantedReplay;
  readonly close: () => void;
  /** Reports the outcome, in words. */
  readonly tell: (outcome: ReplayOutcome) => void;
}

/** Asks what was corrected before letters are sent back, because that can't be undone. */
export function ReplayDialog({ wanted: { which, open }, close, tell }: ReplayDialogProps) {
  const client = useQueryClient();
  const sending = useMutation({
    async mutationFn(form: FormData) {
      const reason = form.get('reason');
      const body = {
        ...('id' in which ? { ids: [which.id] } : which),
        ...(typeof reason === 'string' && reason.trim() !== '' && { reason: reason.trim() }),
      };
      const replayed = (await call('POST', `${path}/replay`, { body })) as Replayed;
      await client.invalidateQueries({ queryKey: [path] });
      return outcomeOf(replayed);
    },
    onSuccess(outcome) {
      tell(outcome);
      close();
    },
  });
  const { isPending: isBusy, error } = sending;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    sending.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      title={open === 1 ? 'Send this letter back?' : 'Send these letters back?'}
      close={close}
      isByButtonAlone={isBusy}
    >
      <form onSubmit={submit}>
        <p>{textOf({ which, open })}</p>
        <p>
          Fix the cause first: a letter whose cause is still there becomes a new dead letter. Each goes back
          once, and that cannot be undone.
        </p>
        <label>
          <span>What was fixed (kept with the decision)</span>
          <input name="reason" maxLength={500} placeholder="migration 031 was missing" autoFocus />
        </label>
        {error === null ? null : <p role="alert">{reasonOf(error)}</p>}
        <DialogActions>
          <Button disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {isBusy ? 'Sending…' : 'Send back'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function textOf({ which, open }: WantedReplay): string {
  if ('id' in which) return `The letter ${which.id} goes back to the topic that it came from.`;
  const many = open > mostAtOnce ? `The oldest ${formatNumber(mostAtOnce, 0)}` : formatNumber(open, 0);
  if (open === 1)
    return `The letter of ${which.stage} with ${which.code} goes back to the topic that it came from.`;
  return `${many} letters of ${which.stage} with ${which.code} go back to the topic that they came from.`;
}
