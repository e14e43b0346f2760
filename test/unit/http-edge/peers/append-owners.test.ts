import assert from 'node:assert/strict';
import { AppendOwners, type KnownPeers } from '../../../../http-edge/peers/append-owners.js';
import { NoAnswerInTime, type PeerClient } from '../../../../http-edge/peers/peer-client.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import type { IdempotentAppender } from '../../../../runtime/kafka/transactions/idempotent-appender.js';
import { createMetrics } from '../../../../runtime/metrics.js';

type Send = PeerClient['send'];
type Result = ReturnType<IdempotentAppender<string>['append']>;

const owner = 'http://owner:8079';
const timeoutMs = 2_000;
const refused = (code: 'BUFFER_FULL' | 'APPEND_TIMED_OUT') => ({ name: 'TelltaleError', code });

/** An edge and its known peers; records the appends that it has decided itself. */
class Edge {
  readonly decided: string[] = [];
  readonly silent: string[] = [];
  private readonly owners: AppendOwners;
  readonly appends: IdempotentAppender<string>;

  constructor(
    ownUrl: string,
    urls: readonly string[],
    send: Send,
    decide: () => Result = () => Promise.resolve({ kind: 'appended' }),
  ) {
    const peers: KnownPeers = {
      urls,
      isSilent: (url) => this.silent.includes(url),
      reached: () => undefined,
      notReached: (url) => void this.silent.push(url),
    };
    const client = { send, stop: () => undefined };
    this.owners = new AppendOwners({ ownUrl, client, peers, metrics: createMetrics() });
    const local: IdempotentAppender<string> = {
      append: ({ entry }) => {
        this.decided.push(entry);
        return decide();
      },
      stop: () => Promise.resolve(),
    };
    this.appends = this.owners.share({
      ...{ name: 'once', local, timeoutMs },
      holder: { holding: (_, work) => work() },
    });
  }

  readonly answer: Send = async (_, path, body) => {
    const { status, body: answer = Buffer.alloc(0) } = (await this.owners.answer(path, body)) ?? {
      status: 404,
    };
    return { status, body: answer };
  };
}

const nobody: Send = () => assert.fail('the owner forwards nothing');
const ownerThat = (decide?: () => Result): Edge => new Edge(owner, [], nobody, decide);

/** An edge whose appends belong to the other edge. */
function forwarderTo(send: Send): Edge {
  return new Edge('http://forwarder:8079', [owner], send);
}

function append({ appends }: Edge): Result {
  return appends.append({ group: ownedByTheOwner, ids: ['1'], entry: 'task', records: [] });
}
const ownedByTheOwner = 'b';

describe('an append that belongs to another edge', () => {
  it('is decided there', async () => {
    const other = ownerThat(() => Promise.resolve({ kind: 'found', entry: 'before' }));
    const edge = forwarderTo(other.answer);
    assert.deepEqual(await append(edge), { kind: 'found', entry: 'before' });
    assert.deepEqual([edge.decided, other.decided], [[], ['task']]);
  });

  for (const code of ['BUFFER_FULL', 'APPEND_TIMED_OUT'] as const)
    it(`is refused as there (${code}): here it would abort what the owner has under way`, async () => {
      const other = ownerThat(() => Promise.reject(new TelltaleError(code)));
      const edge = forwarderTo(other.answer);
      await assert.rejects(append(edge), refused(code));
      assert.deepEqual([edge.decided, edge.silent], [[], []]);
    });

  it('is refused if the owner does not answer in time; the next one is decided here', async () => {
    const edge = forwarderTo((url, _path, _body, ms = 0) => {
      assert.ok(ms > timeoutMs);
      return Promise.reject(new NoAnswerInTime(url, ms));
    });
    await assert.rejects(append(edge), refused('APPEND_TIMED_OUT'));
    assert.deepEqual([edge.decided, edge.silent], [[], [owner]]);
    assert.deepEqual(await append(edge), { kind: 'appended' });
  });

  it('is decided here if the owner is gone', async () => {
    const edge = forwarderTo(() => Promise.reject(new Error('connect ECONNREFUSED')));
    assert.deepEqual(await append(edge), { kind: 'appended' });
    assert.deepEqual([edge.decided, edge.silent], [['task'], [owner]]);
  });

  it('is decided here if the owner is stopping', async () => {
    const other = ownerThat();
    await other.appends.stop();
    const edge = forwarderTo(other.answer);
    assert.deepEqual(await append(edge), { kind: 'appended' });
    assert.deepEqual([edge.decided, edge.silent, other.decided], [['task'], [], []]);
  });
});
