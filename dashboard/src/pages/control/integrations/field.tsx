import { useId } from 'react';
import styles from './page.module.css';

interface FieldProps {
  readonly label: string;
  readonly about: string;
  readonly type: string;
  readonly value: string;
  readonly mistake: string | undefined;
  readonly change: (value: string) => void;
}

/** A text field, with an explanation and the mistake in it. */
export function Field({ label, about, type, value, mistake, change }: FieldProps) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={mistake !== undefined}
        aria-describedby={`${id}-about`}
        onChange={(event) => change(event.target.value)}
      />
      <p id={`${id}-about`} className="muted" role={mistake === undefined ? undefined : 'alert'}>
        {mistake ?? about}
      </p>
    </div>
  );
}
