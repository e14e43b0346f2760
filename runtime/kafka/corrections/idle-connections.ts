import type Cluster from 'kafkajs/src/cluster/index.js';

/**
 * A connection of kafkajs 2.2.4 that no broker throttles asks itself every millisecond, for as long as it lives, whether
 * a request waits (requestQueue/index.js: the time until the throttle's end is negative, and a timer takes that for 1 ms).
 * With this it asks while a request waits, and until a throttle has ended. Call it before the cluster connects.
 */
export function restWhileIdle({ connectionPoolBuilder: builder }: Cluster): void {
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
