import { useEffect, useId, useState } from 'react';
import type { MistakeIn } from './mistakes.js';
import { useAddress } from './use-address.js';

interface SearchFieldProps {
  readonly label: string;
  /** The name of the address parameter that contains the text. */
  readonly name: string;
  /** Says what is wrong with a text. It is shown, and the text is not searched for. */
  readonly mistakeIn?: MistakeIn;
}

const pauseMs = 150;

/** A filter that is applied once typing pauses. Typing adds no entries to the browser's history. */
export function SearchField({ label, name, mistakeIn }: SearchFieldProps) {
  const id = useId();
  const { get, set } = useAddress();
  const value = get(name);
  const [text, setText] = useState(value);
  // Names are often pasted with a space around them.
  const wanted = text.trim();
  const mistake = mistakeIn?.(wanted);
  // While typing, the text keeps a trailing space.
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value]);
  useEffect(() => {
    if (wanted === value || mistake !== undefined) return;
    const timer = setTimeout(() => set({ [name]: wanted }, { replace: true }), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted, value, mistake, name, set]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={text}
        aria-invalid={mistake !== undefined}
        aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
        onChange={(event) => setText(event.target.value)}
      />
      {mistake === undefined ? null : (
        <span id={`${id}-mistake`} className="mistake" role="alert">
          {mistake}
        </span>
      )}
    </div>
  );
}
