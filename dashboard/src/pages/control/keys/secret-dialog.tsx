import type { IssuedKey } from '../../../api/client.js';
import { Button } from '../../../shared/button.js';
import { CopyButton } from '../../../shared/copy-button.js';
import { DialogActions } from '../../../shared/dialog-actions.js';
import { Dialog } from '../../../shared/dialog.js';
import { CodeBlock } from '../../../shared/code-block.js';

/** Shows a new key once, with a request to paste. */
export function SecretDialog({ issued, close }: { readonly issued: IssuedKey; readonly close: () => void }) {
  const command = commandOf(issued, location.origin);
  return (
    <Dialog title={`The key “${issued.name}”`} close={close} isByButtonAlone>
      <p>Copy it now: its secret is kept nowhere, and is not shown again.</p>
      <pre data-key>{issued.key}</pre>
      <p>A first request with it:</p>
      <CodeBlock label="A first request">{command}</CodeBlock>
      <DialogActions>
        <CopyButton label="Copy the request" text={() => command} />
        <CopyButton label="Copy the key" text={() => issued.key} />
        <Button look="primary" onClick={close}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A request that a key with these scopes may make. */
function commandOf({ key, scopes }: IssuedKey, origin: string): string {
  const header = `-H 'Authorization: Bearer ${key}'`;
  if (scopes.includes('metrics'))
    return `curl -sS ${origin}/api/v1/monitoring/metrics/text-sentiment \\\n  ${header} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"prompt": "The ferry was late, but the crew was lovely."}'`;
  if (scopes.includes('events'))
    return `curl -sS '${origin}/?apiKey=${key}&metric=ferries.late&type=increment&value=1'`;
  if (scopes.includes('read')) return `curl -sS ${origin}/api/v1/clusters \\\n  ${header}`;
  if (scopes.includes('admin')) return `curl -sS ${origin}/api/v1/keys \\\n  ${header}`;
  return `AGENT_SERVER_URL=${origin} AGENT_API_KEY=${key} telltale-agent`;
}
