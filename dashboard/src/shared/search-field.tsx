import { useEffect, useId, useState } from 'react';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

const pauseMs = 300;

/** A filter that is applied once typing pauses. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSearch(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="search" value={text} onChange={(event) => setText(event.target.value)} />
    </div>
  );
}
