/**
 * The closed list of errors that an operator can meet. Each message says what is wrong and what to do about it;
 * `{name}` is filled in from the details.
 */
export const errorTemplates = {
  CONFIG_INVALID: 'The configuration is not valid:\n{problems}',
  PORT_BUSY:
    'Port {port} ({what}) is taken by another process. Stop that process, or set {variable} to a free port.',
  KAFKA_UNREACHABLE:
    "Kafka at {brokers} can't be used: {reason}. Start a broker (`npm start`), or check KAFKA_BROKERS, KAFKA_SECURITY_PROTOCOL and the settings that it needs.",
  VIEW_NOT_READ: 'This process is starting and has not read {topic} yet. Try again in a few seconds.',
  TLS_FILES_INVALID: 'The files for TLS cannot be used: {reason}',
  KAFKA_TOKEN_REFUSED:
    'The token endpoint {url} gave no token for Kafka: {reason}. Check KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET.',
  REGISTRY_UNREACHABLE:
    "The schema registry at {url} can't be used ({reason}). Start it (`npm start`), or set SCHEMA_REGISTRY_URL, and SCHEMA_REGISTRY_USER and SCHEMA_REGISTRY_PASSWORD if it requires them.",
  CLICKHOUSE_UNREACHABLE:
    'ClickHouse at {url} does not answer. Start it (`npm start`), or set CLICKHOUSE_URL.',
  CLICKHOUSE_REFUSED: 'ClickHouse at {url} refused: {reason}',
  QUERY_TOO_LARGE: 'The query exceeds the limits of one query. Ask for less: {reason}',
  ROWS_REJECTED: 'ClickHouse will never accept these rows: {reason}',
  TASK_STATUS_AWAY:
    'No reachable edge has partition {partition} of the task statuses: its owner is down, and the new owner is still reading it. With STATUS_VIEW_COPIES=2 a second edge answers in the meantime.',
  TOPIC_MISSING: 'Topic {topic} does not exist. Run `telltale topics apply`.',
  TOPIC_MISMATCH:
    '{topic} has {found} partitions instead of {wanted}. `telltale topics apply --grow` adds the missing ones, and moves keys to other partitions.',
  TOO_FEW_BROKERS:
    'There are {brokers} brokers, but topics need {wanted} replicas. Start more brokers, or lower KAFKA_TOPIC_REPLICATION.',
  REPLICATION_REFUSED:
    "Kafka can't create a topic with KAFKA_TOPIC_REPLICATION={wanted}: {reason}. Set it to a value that Kafka accepts, often 3 in a managed Kafka. If a policy of Kafka limits partitions instead, set KAFKA_TOPIC_PARTITIONS.",
  SCHEMA_MISSING: 'Subject {subject} is not in the registry. Run `telltale topics apply`.',
  SCHEMA_INCOMPATIBLE: 'The schema of {subject} is not compatible with an earlier version: {reason}',
  RECORDS_EXPIRED:
    'Partition {partition} of {topic} now starts at {offset}: the records to be read have expired.',
  RECORD_UNDECODABLE: 'A record of {topic} cannot be decoded: {reason}',
  APPEND_FAILED: 'Kafka did not confirm an append to {topic}: {reason}',
  APPEND_TIMED_OUT: 'Kafka did not confirm an append to {topic} within {ms} ms.',
  BUFFER_FULL: 'The append buffer is full ({bytes} bytes in flight).',
  PRODUCER_FENCED: 'Another process has taken over transactional id {id}.',
  MIGRATION_CHANGED:
    'Migration {name} was changed after it had been applied. Restore it, and add a new migration instead.',
  MIGRATION_INVALID: 'Migration {name} is not valid: {reason}',
  MIGRATION_FAILED: 'Migration {name} failed: {reason}',
  POOL_FULL: 'The worker pool already has {queued} tasks waiting.',
  CONSUMER_STUCK:
    'Group {group} has made no progress for {seconds} s although {lag} records of {topic} are waiting. The process exits so that a new one takes over.',
  GROUP_INSTANCE_TAKEN:
    'Another process has joined group {group} as {instance}. Give each process of a role its own KAFKA_GROUP_INSTANCE_ID, and each edge its own EDGE_PEER_URL.',
  STEP_FAILED: '{stage} failed with an unexpected error: {reason}',
  DEAD_LETTER_UNKNOWN:
    'There is no dead letter {id}. `telltale dead-letters list` shows the existing ones; they are kept for 30 days.',
  DEAD_LETTER_DECIDED:
    'Dead letter {id} was {decision} at {at} by {by}. A decision is final: nothing was done.',
  DEAD_LETTERS_UNSPECIFIED:
    'Specify the dead letters: by their ids, by --stage, --code or --since, or --all of them.',
  ADMIN_NEEDED:
    'Only an admin may see the content of a record: {reason}. Set TELLTALE_API_KEY to a key with the scope admin.',
  REPLAY_UNKNOWN: 'There is no replay {id}. `telltale replays list` shows all replays.',
  REPLAY_TAKEN:
    'Replay {id} was changed by another command ({by}) and is now {status}. `telltale replays show {id}` shows its progress.',
  REPLAY_DIFFERENT:
    'Replay {id} is {status}, and was requested with other bounds ({parameters}). Run its command again to continue it, or cancel it with `telltale replays cancel {id}`.',
  REPLAY_EXCHANGING:
    'Replay {id} is putting its table in place and can no longer be stopped. It ends in seconds; if it was killed, run `telltale replays resume {id}` or its command.',
  REPLAY_ENDED: "Replay {id} is {status}: it can't be resumed. Run its command again to start a new one.",
  REPLAY_NEEDS_COMMAND: 'Replay {id} ({what}) runs in the command that started it. Run that command again.',
  REPLAY_INVALID: "The replay can't start: {reason}.",
  REPLAY_IMPOSSIBLE: "{table} can't be rebuilt: {reason}.",
  FILE_UNREADABLE: '{file} cannot be read: {reason}. Give the path of a file that this user may read.',
  IMPORT_INVALID: "The import can't start: {reason}",
  IMPORT_CHANGED:
    '{source} was imported up to line {line} before, and those lines have changed since. Give the new file another name with --source, or restore the old one.',
  MOMENT_INVALID:
    '{given} is not a timestamp. Use ISO 8601, such as 2026-01-31T12:00:00Z, or an age such as 30m, 12h or 7d.',
  KEY_UNKNOWN: 'There is no API key {id} in this workspace. `telltale keys list` shows all keys.',
  KEY_ENDED: 'API key {id} was revoked or has expired. Make a new one.',
  KEYS_FULL:
    'Workspace {workspace} has reached its limit of {most} active API keys. Revoke unused ones: `telltale keys list` and `GET /api/v1/keys` show when each was last used.',
  KEY_INVALID: 'The API key cannot be made: {problems}',
  LINK_INVALID:
    'The sign-in link cannot be made: the workspace must be 1 to 64 letters, digits, dots, hyphens or underscores, the role viewer or admin, and the address a URL.',
  DOWNLOAD_FAILED: '{what} could not be fetched: {reason}',
  LLM_NO_ANSWER: 'The language model gave no usable answer {within} (last: {reason}).',
  LLM_BUSY:
    '{waiting} calls to the language model are already waiting. Try again later, or raise LLM_CONCURRENCY or LLM_QUEUE.',
  LLM_CIRCUIT_OPEN:
    'The language model keeps failing (last: {reason}) and its circuit breaker is open for another {seconds} s. Check the endpoint at LLM_BASE_URL.',
  LLM_REFUSED: 'The language model refused the request ({reason}).',
  LLM_ABANDONED: 'The call to the language model was abandoned.',
  SEARCH_CALL_FAILED: '{call} got no usable answer from the search cluster: {reason}.',
  CALL_NOT_ALLOWED:
    '{call} is not on the list of calls that the agent may make to a search cluster, and was not sent.',
  SERVER_START_FAILED: '{what} did not start: {reason}',
  ALREADY_RUNNING:
    'Telltale already runs in {folder} (process {pid}). Stop that one, or give this one another folder and ports (TELLTALE_HOME, EDGE_PORT, …).',
  SETUP_FAILED: '{what} failed: {reason}',
  FOLDER_TAKEN:
    'An agent already runs in {folder} (process {pid}). Stop that one, or set AGENT_FOLDER and AGENT_PORT.',
  SPOOL_FULL:
    'The spool in {folder} is full ({bytes} bytes). It empties once the server accepts data again; AGENT_SPOOL_BYTES sets its size.',
  SPOOL_BROKEN: 'The spool in {folder} cannot be written: {reason}',
  QUARANTINE_UNUSABLE: "The quarantined items in {folder} can't be sent again: {reason}",
  DIGEST_KEY_INVALID:
    'The digest key in {path} is not 64 hexadecimal digits. Restore the file, or remove it: the agent then generates a new key, and ids and users get new digests.',
  LEDGER_INVALID:
    'The slow-log ledger in {path} is damaged, so no slow logs are read. Restore the file, or remove it: then all slow logs on this host are read again from the start, including entries sent before.',
  TOOL_MISSING: '{tool} is needed for {what}, but {found}. {cure}.',
} as const;

export type ErrorCode = keyof typeof errorTemplates;

type Details = Readonly<Record<string, string | number>>;

/** An error with a stable code, a message that says what to do, and its cause kept. */
export class TelltaleError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}, options?: ErrorOptions) {
    super(
      errorTemplates[code].replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? `{${name}}`)),
      options,
    );
    this.name = 'TelltaleError';
    this.code = code;
    this.details = details;
  }
}

/** The text of anything that was thrown, for a message or a log line. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
