import { workspaceForm } from '../../../schemas/workspace.js';
import type { Person } from '../sessions.js';

/** What a person may do if their claim has this value. */
export interface Grant {
  readonly value: string;
  readonly role: Person['role'];
  readonly workspace: string;
}

/** The grants of OIDC_GRANTS, in their order; `invalid` is the first entry that can't be parsed. */
export function grantsOf(text: string): { readonly grants: readonly Grant[]; readonly invalid?: string } {
  const grants: Grant[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    // A value can itself contain `=` and `:`, as LDAP distinguished names do: the last ones separate.
    const [, value, role, workspace] = /^(.+)=(viewer|admin):([^:=]+)$/.exec(entry) ?? [];
    if (value === undefined || workspace === undefined || !workspaceForm.test(workspace))
      return { grants, invalid: entry };
    grants.push({ value, role: role === 'admin' ? 'admin' : 'viewer', workspace });
  }
  return { grants };
}

/** The first grant whose value the claim has; undefined if it has none of them. */
export function grantFor(grants: readonly Grant[], claim: unknown): Grant | undefined {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return grants.find(({ value }) => values.includes(value));
}
