import { Command } from 'commander';
import { createKey, revokeKey, rotateKey, type IssuedKey } from '../../http-edge/keys/key-store.js';
import { viewOf, viewsOf, type KeyView } from '../../http-edge/keys/key-view.js';
import { keyRequestOf, type KeyRequest } from '../../http-edge/keys/key-request.js';
import type { AccessKeys } from '../../http-edge/ports.js';
import { TelltaleError } from '../../runtime/errors.js';
import { workspaceForm } from '../../schemas/workspace.js';
import { openAccessKeysSession, type AccessKeysSession } from '../access-keys-session.js';
import type { AddCommand } from '../command.js';

export interface KeysCommandOptions {
  /** Called once a command runs, so that `--help` needs no Kafka. */
  readonly open: () => Promise<AccessKeysSession>;
  readonly print: (text: string) => void;
}

interface Given {
  readonly workspace?: string;
  readonly json?: boolean;
}

interface GivenRequest extends Given {
  readonly workspace: string;
  readonly name: string;
  readonly scopes: string;
  readonly expires?: string;
}

const dayMs = 86_400_000;

export const addKeys: AddCommand = (program) => {
  const open = (): Promise<AccessKeysSession> => openAccessKeysSession(process.env);
  program.addCommand(keysCommand({ open, print: (text) => console.log(text) }));
};

/** `telltale keys create|list|rotate|revoke`: writes to access.api-keys, which every edge follows. */
export function keysCommand({ open, print }: KeysCommandOptions): Command {
  const withKeys = async (
    work: (keys: AccessKeys, session: AccessKeysSession) => Promise<string> | string,
  ): Promise<void> => {
    const session = await open();
    try {
      print(await work(session.keys, session));
    } finally {
      await session.close();
    }
  };

  const command = new Command('keys').description('make, list, rotate and revoke API keys');
  command
    .command('create')
    .description('make a key; its secret is shown only once')
    .requiredOption('--name <name>', 'name that people see')
    .option('--workspace <workspace>', 'workspace that the key gives access to', 'default')
    .option('--scopes <scopes>', 'comma-separated: metrics, events, agent, read, admin', 'metrics,read')
    .option('--expires <timestamp>', 'ISO 8601, or a number of days as in 90d; never if not given')
    .option('--json', 'print JSON')
    .action(async (given: GivenRequest) => {
      const request = checkedRequest(given);
      await withKeys(async (keys) =>
        issuedText(await createKey(keys, given.workspace, request, Date.now()), given),
      );
    });
  command
    .command('list')
    .description('list keys, oldest first, and when each was last used')
    .option('--workspace <workspace>', 'only those of this workspace')
    .option('--json', 'print JSON')
    .action((given: Given) =>
      withKeys(async (keys, session) =>
        listText(viewsOf(keys.list(given.workspace), Date.now(), await session.uses()), given),
      ),
    );
  command
    .command('rotate <key-id>')
    .description('give a key a new secret; the old one is refused within a second')
    .option('--workspace <workspace>', 'refuse if the key belongs to another one')
    .option('--json', 'print JSON')
    .action((keyId: string, given: Given) =>
      withKeys(async (keys) => issuedText(await rotateKey(keys, keyId, given.workspace, Date.now()), given)),
    );
  command
    .command('revoke <key-id>')
    .description('refuse a key from now on, permanently')
    .option('--workspace <workspace>', 'refuse if the key belongs to another one')
    .option('--json', 'print JSON')
    .action((keyId: string, given: Given) =>
      withKeys(async (keys) => {
        const view = viewOf(await revokeKey(keys, keyId, given.workspace, Date.now()), Date.now());
        return given.json === true ? JSON.stringify(view) : `${view.key_id} (${view.name}) is revoked.`;
      }),
    );
  return command;
}

function checkedRequest({ workspace, name, scopes, expires }: GivenRequest): KeyRequest {
  if (!workspaceForm.test(workspace))
    throw new TelltaleError('KEY_INVALID', {
      problems: '`workspace` must be 1 to 64 letters, digits, dots, hyphens or underscores.',
    });
  const days = /^(\d{1,5})d$/.exec(expires ?? '')?.[1];
  const request = keyRequestOf(
    {
      name,
      scopes: scopes.split(',').map((scope) => scope.trim()),
      expires_at: days === undefined ? expires : new Date(Date.now() + Number(days) * dayMs).toISOString(),
    },
    Date.now(),
  );
  if ('name' in request) return request;
  throw new TelltaleError('KEY_INVALID', { problems: request.map(({ detail }) => detail).join(' ') });
}

function issuedText({ key, token }: IssuedKey, { json }: Given): string {
  const view = viewOf(key, Date.now());
  if (json === true) return JSON.stringify({ key: token, ...view });
  return `${token}\n\n${describe(view)}\nThe secret is shown only this once: keep it safe.`;
}

function listText(views: readonly KeyView[], { json }: Given): string {
  if (json === true) return JSON.stringify({ keys: views });
  return views.length === 0 ? 'There are no keys.' : views.map(describe).join('\n');
}

function describe(view: KeyView): string {
  const expiry = view.expires_at === null ? 'never expires' : `expires ${view.expires_at}`;
  const of = [view.key_id, view.state, view.workspace, view.name, view.scopes.join(','), expiry];
  return [...of, ...useOf(view)].join('  ');
}

/** Empty if the last use was not asked for: a new key has none yet. */
function useOf({ last_used_at: at }: KeyView): readonly string[] {
  if (at === undefined) return [];
  return [at === null ? 'no known use' : `last used ${at}`];
}
