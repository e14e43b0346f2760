/** The name of Kafka's error that kafkajs gives on, such as `UNKNOWN_TOPIC_OR_PARTITION`; empty for any other error. */
export function protocolErrorOf(error: unknown): string {
  const { type } = error as { type?: unknown };
  return typeof type === 'string' ? type : '';
}
