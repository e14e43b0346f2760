import { useRef, useState, type SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { useKeptHref } from '../shared/use-address.js';

/** Finds something by its id from any page: the pipeline page shows where it is. */
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
    // Keys move through the page again, instead of being typed here.
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
