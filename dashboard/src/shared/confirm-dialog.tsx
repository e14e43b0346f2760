import { useMutation } from '@tanstack/react-query';
import { Button } from './button.js';
import { DialogActions } from './dialog-actions.js';
import { Dialog } from './dialog.js';
import { reasonOf } from './reason-of.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The label of the button that confirms. */
  readonly yes: string;
  readonly act: () => Promise<void>;
}

/** Asks before an action that can't be undone. */
export function ConfirmDialog({
  question,
  close,
}: {
  readonly question: Question;
  readonly close: () => void;
}) {
  const {
    mutate: act,
    isPending: isBusy,
    error,
  } = useMutation({ mutationFn: question.act, onSuccess: close });
  return (
    <Dialog title={question.title} close={close} isByButtonAlone={isBusy}>
      <p>{question.text}</p>
      {error === null ? null : <p role="alert">{reasonOf(error)}</p>}
      {isBusy ? <p role="status">Waiting for Kafka…</p> : null}
      <DialogActions>
        <Button disabled={isBusy} onClick={close}>
          Cancel
        </Button>
        <Button look="danger" disabled={isBusy} onClick={() => act()}>
          {question.yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
