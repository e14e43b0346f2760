import { useEffect, useRef, type ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The browser's own dialog: it holds the keyboard, closes on Escape, and gives the focus back. */
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
