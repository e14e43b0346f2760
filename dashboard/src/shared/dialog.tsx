import { useEffect, useRef, type ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The browser's own dialog: it traps the focus, closes on Escape, and restores the focus. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby="dialog-title" onCancel={close}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
