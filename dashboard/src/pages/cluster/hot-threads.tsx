import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addressOf, call, type Answer, type ApiError } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { useRead } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { CopyButton } from '../../shared/copy-button.js';
import { formatTimestamp } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { useAddress } from '../../shared/use-address.js';
import styles from './hot-threads.module.css';
import { CodeBlock } from '../../shared/code-block.js';

const path = '/api/v1/clusters/{cluster_uuid}/hot-threads';
type Asked = Answer<typeof path>;

/** The busiest threads of each node: requested by an admin, and read from the cluster by an agent. */
export function HotThreads({ uuid }: { readonly uuid: string }) {
  const { data: session } = useSession();
  return session?.role === 'admin' ? <ForAdmins uuid={uuid} /> : null;
}

function ForAdmins({ uuid }: { readonly uuid: string }) {
  const { get, set } = useAddress();
  const client = useQueryClient();
  const params = { cluster_uuid: uuid };
  const isShown = get('threads') !== '';
  const query = useRead(path, {
    ...{ params, enabled: isShown },
    everySeconds: (last) => (last?.status === 'waiting' ? 2 : undefined),
  });
  const asking = useMutation<unknown, ApiError>({
    mutationFn: () => call('POST', addressOf(path, params)),
    onSuccess: () => client.invalidateQueries({ queryKey: [path] }),
  });
  /** Only while this page is open: the answer can come after the person has left it. */
  const show = (): void => asking.mutate(undefined, { onSuccess: () => set({ threads: 'shown' }) });
  const isWaiting = asking.isPending || (isShown && query.data?.status === 'waiting');
  return (
    <section className="stack" aria-labelledby="hot-threads">
      <div className="field">
        <h2 id="hot-threads">Hot threads</h2>
        <Button disabled={isWaiting} onClick={show}>
          Ask for hot threads
        </Button>
      </div>
      <p className="muted">
        What the busiest threads of each node are doing now. An agent gets the request in the answer to its
        next report, within half a minute; the cluster then needs half a second.
      </p>
      {asking.error === null ? null : (
        <Notice kind="error" title="The request failed">
          <p>{asking.error.message}</p>
        </Notice>
      )}
      {isShown ? (
        <Loaded query={query} what="the hot threads" from={['edge']}>
          {(asked) => <Standing asked={asked} />}
        </Loaded>
      ) : null}
    </section>
  );
}

const titles: Readonly<Record<Exclude<Asked['status'], 'answered'>, string>> = {
  waiting: 'Waiting for an agent',
  failed: 'The agent could not get them',
  expired: 'No agent has answered',
};
const kinds = { waiting: 'loading', failed: 'unavailable', expired: 'not-collected' } as const;

function Standing({ asked }: { readonly asked: Asked }) {
  const { zone } = useAddress();
  const { status, hot_threads: text } = asked;
  if (status !== 'answered' || text === null) {
    const shown = status === 'answered' ? 'failed' : status;
    return (
      <Notice kind={kinds[shown]} title={titles[shown]}>
        <p>{`Asked at ${formatTimestamp(asked.asked_at, zone)}. ${asked.detail}`}</p>
      </Notice>
    );
  }
  return (
    <>
      <div className="field">
        <span>{`Of ${formatTimestamp(asked.answered_at, zone)}, from the agent on ${asked.agent_host ?? 'a host'}`}</span>
        <CopyButton label="Copy" text={() => text} />
      </div>
      <CodeBlock label="Hot threads as text" className={styles['threads']}>
        {text}
      </CodeBlock>
    </>
  );
}
