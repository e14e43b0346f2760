import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface StatementProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** A proxy for ClickHouse: each statement is forwarded once `before` has resolved. */
export async function statementProxy(
  target: string,
  before: (statement: string) => Promise<void>,
): Promise<StatementProxy> {
  const forward = async (incoming: IncomingMessage): Promise<IncomingMessage> => {
    const body = await buffer(incoming);
    const inUrl = new URL(incoming.url ?? '/', target).searchParams.get('query');
    await before(inUrl ?? body.toString());
    return new Promise((resolve, reject) => {
      const { method, headers } = incoming;
      const sent = request(new URL(incoming.url ?? '/', target), { method, headers }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  };
  const server = createServer((incoming, answer) => {
    forward(incoming).then(
      (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      },
      () => answer.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
