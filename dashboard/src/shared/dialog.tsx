import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  /** Whether only a button closes it, because its content is shown only once. */
  readonly isByButtonAlone?: boolean;
  readonly children: ReactNode;
}

/** Chromium closes a dialog on a second Escape, although the first one was refused. */
function keepOpen(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.preventDefault();
}

/** The browser's own dialog: it traps the focus, closes on Escape, and restores the focus. */
export function Dialog({ title, close, isByButtonAlone = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby="dialog-title"
      onCancel={isByButtonAlone ? (event) => event.preventDefault() : close}
      onKeyDown={isByButtonAlone ? keepOpen : undefined}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
