import { useRef, useState, type SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { useKeptHref } from '../shared/use-address.js';

/** A search by id on every page; the pipeline page shows the result. */
export function IdSearch() {
  const [, navigate] = useLocation();
  const kept = useKeptHref();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const id = text.trim();
    if (id === '') return;
    navigate(kept(`/pipeline/find?${new URLSearchParams({ id }).toString()}`));
    setText('');
    // After this, keys are shortcuts again instead of text in this field.
    field.current?.blur();
  };
  return (
    <form className="field" onSubmit={submit} role="search" aria-label="Anything by its id">
      <input
        ref={field}
        type="search"
        aria-label="Find an id"
        placeholder="Find an id"
        value={text}
        maxLength={255}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
