import kafkajs, { type Kafka } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, ClusterMetadata, ConnectionPool } from 'kafkajs/src/cluster/index.js';
import { TelltaleError } from '../../errors.js';

/** A broker that accepts connections but never answers holds requests: ask another after this long. */
const silentAfterMs = 500;

/**
 * The first answer from several brokers. The next broker is asked once the previous ones have failed or are
 * silent. Rejects with the last failure, or at once with one that no other broker can fix. Later answers go
 * to `late`.
 */
export function firstAnswer<Asked, Answer>(
  all: readonly Asked[],
  ask: (one: Asked) => Promise<Answer>,
  late: (answer: Answer) => void = () => undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const left = [...all];
    let asking = 0;
    let isOver = false;
    let silence: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      isOver = true;
      clearTimeout(silence);
      settle();
    };
    const askNext = (): void => {
      clearTimeout(silence);
      const [one] = left.splice(0, 1);
      if (one === undefined) return;
      asking += 1;
      silence = setTimeout(askNext, silentAfterMs);
      ask(one).then(
        (answer) => {
          if (isOver) late(answer);
          else end(() => resolve(answer));
        },
        (error: unknown) => {
          asking -= 1;
          if (isOver) return;
          const isLast = left.length === 0 && asking === 0;
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the broker's client gave it
          if (isLast || error instanceof TelltaleError) end(() => reject(error));
          else askNext();
        },
      );
    };
    askNext();
  });
}

/**
 * Gets metadata and coordinators from whichever broker answers. While a request waits, the cluster refreshes
 * its metadata; requests to a broker that is no longer in it are rejected. Call it before the cluster
 * connects.
 */
export function bypassSilentBrokers(cluster: Cluster): void {
  const { brokerPool } = cluster;
  const isOpen = untilDisconnected(cluster);
  const isSilent = askWhileWaiting(cluster, isOpen);
  const connected = async <Found>(find: () => Promise<Found>): Promise<Found> => {
    // Nobody would close its connection.
    if (!isOpen()) throw new kafkajs.KafkaJSConnectionError('the connections to Kafka are closed');
    return find();
  };
  const nodeIds = (): string[] => {
    const rank = (id: string): number => rankOf(brokerPool.brokers[id], isSilent);
    return turned(brokerPool.getNodeIds()).sort((one, other) => rank(one) - rank(other));
  };
  const findConnected = brokerPool.findConnectedBroker.bind(brokerPool);
  brokerPool.findConnectedBroker = () => {
    const known = nodeIds().map((nodeId) => () => brokerPool.findBroker({ nodeId }));
    if (known.length === 0) return findConnected();
    return Promise.resolve({
      async metadata(topics) {
        const answer = await firstAnswer([...known, findConnected], async (find) =>
          (await connected(find)).metadata(topics),
        );
        rejectWaiting(brokerPool.brokers, answer);
        return answer;
      },
    });
  };
  const withBroker = brokerPool.withBroker.bind(brokerPool);
  brokerPool.withBroker = (ask) => {
    const known = nodeIds();
    if (known.length === 0) return withBroker(ask);
    return firstAnswer(known, async (nodeId) =>
      ask({ nodeId, broker: await connected(() => brokerPool.findBroker({ nodeId })) }),
    );
  };
}

/** Whether the cluster is open: a crashed kafkajs client disconnects its cluster, and connects it again. */
function untilDisconnected(cluster: Cluster): () => boolean {
  let isOpen = true;
  const connect = cluster.connect.bind(cluster);
  cluster.connect = () => {
    isOpen = true;
    return connect();
  };
  const disconnect = cluster.disconnect.bind(cluster);
  cluster.disconnect = () => {
    isOpen = false;
    return disconnect();
  };
  return () => isOpen;
}

/** Brokers with a connection are asked first, and silent ones last. */
function rankOf(broker: Broker | undefined, isSilent: (broker: Broker) => boolean): number {
  if (broker === undefined || isSilent(broker)) return 2;
  return broker.isConnected() ? 0 : 1;
}

/** Kafka's metadata leaves out brokers that it has declared dead. */
function rejectWaiting(brokers: Readonly<Record<string, Broker>>, metadata: ClusterMetadata): void {
  const present = new Set(metadata.brokers.map(({ nodeId }) => String(nodeId)));
  const gone = Object.entries(brokers).filter(([nodeId]) => !present.has(nodeId));
  for (const [nodeId, { connectionPool }] of gone)
    for (const connection of connectionPool.pool)
      connection.rejectRequests(new kafkajs.KafkaJSConnectionError(`Kafka no longer lists broker ${nodeId}`));
}

const fetchKey = 1;
export const metadataKey = 3;
const askEveryMs = 250;

/** Returns whether a broker is silent: a request has waited for its answer, and none has succeeded since. */
function askWhileWaiting(cluster: Cluster, isOpen: () => boolean): (broker: Broker) => boolean {
  const { brokerPool, connectionPoolBuilder: builder } = cluster;
  const silent = new WeakSet<object>();
  const build = builder.build.bind(builder);
  builder.build = async (address) => {
    const built = await build(address);
    askOverIdleConnection(built);
    const send = built.send.bind(built);
    built.send = async (call) => {
      const { apiKey } = call.request;
      // A fetch waits for records as long as it may.
      if (apiKey === fetchKey) return send(call);
      const asking = setInterval(() => {
        silent.add(built);
        const mayAsk = apiKey !== metadataKey && isOpen() && brokerPool.getNodeIds().length > 0;
        if (mayAsk) cluster.refreshMetadata().catch(() => undefined);
      }, askEveryMs);
      try {
        const answer = await send(call);
        silent.delete(built);
        return answer;
      } finally {
        clearInterval(asking);
      }
    };
    return built;
  };
  return ({ connectionPool }) => silent.has(connectionPool);
}

/**
 * A broker answers the requests of a connection one after another, and a produce request waits for followers.
 * So a metadata request uses the connection for fetches if that one is free.
 */
function askOverIdleConnection(pool: ConnectionPool): void {
  const choose = pool.getConnectionByRequest.bind(pool);
  pool.getConnectionByRequest = (call) => {
    const [first, forFetches] = pool.pool.map(({ requestQueue }) => requestQueue.inflight.size > 0);
    const aside = call.request.apiKey === metadataKey && first === true && forFetches === false;
    return aside ? pool.getConnection(1) : choose(call);
  };
}

/** The items, rotated at random: if the first one is served first, none starves. */
export function turned<Item>(items: Item[]): Item[] {
  const cut = Math.floor(Math.random() * items.length);
  return [...items.slice(cut), ...items.slice(0, cut)];
}

/**
 * An unthrottled connection of kafkajs 2.2.4 checks every millisecond, as long as it lives, whether a request
 * waits (requestQueue/index.js: the time until the throttle's end is negative, which a timer treats as 1 ms).
 * With this, it checks only while a request waits, and until a throttle has ended. Call it before the cluster
 * connects.
 */
export function stopIdlePolling({ connectionPoolBuilder: builder }: Cluster): void {
  const build = builder.build.bind(builder);
  builder.build = async (address) => {
    const built = await build(address);
    for (const { requestQueue } of built.pool) {
      const schedule = requestQueue.scheduleCheckPendingRequests.bind(requestQueue);
      requestQueue.scheduleCheckPendingRequests = () => {
        if (requestQueue.pending.length > 0 || requestQueue.throttledUntil > Date.now()) schedule();
      };
    }
    return built;
  };
}

/** Applies `change` to each client's cluster when it is created: kafkajs 2.2.4 does not expose it. */
export function forEachCluster(kafka: Kafka, change: (cluster: Cluster) => void): void {
  const create = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  const factories = kafka as unknown as Record<symbol, ((options: object) => Cluster) | undefined>;
  const original = create === undefined ? undefined : factories[create];
  if (create === undefined || original === undefined)
    throw new Error('this kafkajs creates its clusters differently from 2.2.4');
  factories[create] = (options) => {
    const cluster = original(options);
    change(cluster);
    return cluster;
  };
}

/** Applies `change` to each broker of a cluster when it is created. Call it before the cluster connects. */
export function forEachBroker(
  { brokerPool }: Pick<Cluster, 'brokerPool'>,
  change: (broker: Broker) => void,
): void {
  const create = brokerPool.createBroker;
  brokerPool.createBroker = (options) => {
    const broker = create(options);
    change(broker);
    return broker;
  };
}
