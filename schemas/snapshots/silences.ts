interface Silence {
  /** What people see for the cluster. */
  readonly seen: string;
  /** Matches reasons of this kind, from an agent or a processor. */
  readonly says: RegExp;
  readonly means: string;
  /** One action. */
  readonly todo: string;
}

/**
 * The reasons why a cluster has no score: either the cluster does not answer its agent, or the agent does not
 * report to the server. docs/clusters.md has the same table.
 */
export const silences = {
  refused: {
    seen: 'the credentials were refused (401)',
    says: /the credentials were refused \(401\)/,
    means: 'The key was invalidated or has expired, or the password was changed.',
    todo: 'Set apiKey in integration.json to a new key, or correct username and password.',
  },
  forbidden: {
    seen: 'a privilege is missing',
    says: /the privilege .+ is missing/,
    means: 'The cluster knows the credentials, but does not let them ask for its health.',
    todo: 'Grant this privilege to the key or user of integration.json.',
  },
  unreachable: {
    seen: 'the connection fails (ECONNREFUSED, for instance)',
    says: /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|no connection within/,
    means: 'The node that the agent asks is stopped, or cannot be reached from its host.',
    todo: 'Start this node, or set host and port in integration.json to those of another one.',
  },
  hung: {
    seen: 'no whole answer within the time limit',
    says: /no whole answer within/,
    means: 'The node that the agent asks hangs, or is overloaded.',
    todo: 'Restart this node if it hangs; if it is only slow, raise requestTimeoutMs in integration.json.',
  },
  unheard: {
    seen: 'nothing was heard of the cluster',
    says: /nothing was heard of the cluster/i,
    means: 'Its agent has stopped, or does not reach the server.',
    todo: "Start the agent on its host, or read in the agent's log why it does not reach the server.",
  },
} as const satisfies Readonly<Record<string, Silence>>;

/** The reason as a sentence, with its meaning and the remedy if known. */
export function explainedSilence(reason: string): string {
  const silence = Object.values<Silence>(silences).find(({ says }) => says.test(reason));
  const sentence = /[.?!]$/.test(reason) ? reason : `${reason}.`;
  return silence === undefined ? sentence : `${sentence} ${silence.means} ${silence.todo}`;
}
