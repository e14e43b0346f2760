import { useState } from 'react';
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
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await question.act();
      close();
    } catch (error) {
      setFailure(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={question.title} close={close} isByButtonAlone={isBusy}>
      <p>{question.text}</p>
      {failure === undefined ? null : <p role="alert">{failure}</p>}
      {isBusy ? <p role="status">Waiting for Kafka to take it…</p> : null}
      <DialogActions>
        <Button disabled={isBusy} onClick={close}>
          Cancel
        </Button>
        <Button look="danger" disabled={isBusy} onClick={() => void act()}>
          {question.yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
