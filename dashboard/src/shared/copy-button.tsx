import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api/client.js';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string | Promise<string>;
}

/** Copies a text, which is made or fetched when the button is pressed. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text());
      setSaid('Copied');
    } catch (error) {
      setSaid(error instanceof ApiError ? error.message : 'The browser did not allow it');
    }
    setTimeout(() => setSaid(undefined), 2_000);
  };
  return (
    <Button onClick={() => void copy()}>
      {said === undefined ? <Copy size={15} aria-hidden="true" /> : <Check size={15} aria-hidden="true" />}
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}
