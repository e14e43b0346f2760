import { ServerResponse } from 'node:http';

/**
 * Loaded before a process (`--import`): kills it when it is about to answer 200 to an agent's batch or an
 * array of events, which is between the commit and the answer.
 */
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own `this` below
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (this: ServerResponse, status: number, ...rest: never[]) {
  const { method, url = '' } = this.req;
  const stores = url.startsWith('/api/v1/agent/') || (method === 'POST' && url === '/');
  if (status === 200 && stores) process.kill(process.pid, 'SIGKILL');
  return writeHead.call(this, status, ...rest);
};
