import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api/client.js';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string | Promise<string>;
  /** The content, if several buttons of a page have the same label. */
  readonly about?: string;
  /** The key that presses the first button with this shortcut. */
  readonly shortcut?: string;
  /** Why it can't be copied; undefined if it can. */
  readonly impossible?: string | undefined;
}

/**
 * Browsers let a page write to the clipboard only for seconds after a key press or a click. So the write
 * starts at once, with a text that might still be being fetched.
 */
async function writeToClipboard(made: Promise<string>): Promise<void> {
  const type = 'text/plain';
  const blob = made.then((text) => new Blob([text], { type }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
  } catch (error) {
    await made;
    throw error;
  }
}

/** Copies a text, which is made or fetched when the button is pressed. A failure is shown until the next attempt. */
export function CopyButton({ label, text, about, shortcut, impossible }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const [isRead, setRead] = useState(false);
  const [failure, setFailure] = useState<string>();
  const copy = async (): Promise<void> => {
    if (isRead) return;
    setFailure(undefined);
    const made = text();
    setRead(typeof made !== 'string');
    try {
      await writeToClipboard(Promise.resolve(made));
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : 'The browser did not allow it.');
    } finally {
      setRead(false);
    }
  };
  const told = impossible ?? failure;
  return (
    <>
      <Button
        onClick={() => void copy()}
        disabled={impossible !== undefined}
        aria-busy={isRead}
        data-shortcut={shortcut}
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
      >
        {isCopied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
        {isCopied ? 'Copied' : isRead ? 'Reading…' : label}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : isRead ? 'Reading…' : ''}
      </span>
      {told === undefined ? null : (
        <span className={impossible === undefined ? 'mistake' : 'muted'} role="status">
          {told}
        </span>
      )}
    </>
  );
}
