import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';

/** Copies a text, which is made when the button is pressed. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('The browser did not allow it');
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
