import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { testCertificates } from './test-certificates.js';

/** Calls a server with the tests' certificate: `fetch` has no option for a trusted authority. */
export function httpsCall(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers,
      ca: testCertificates.authority,
      signal: AbortSignal.timeout(20_000),
    });
    sent.on('error', reject);
    sent.once('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject);
    });
    sent.end(body);
  });
}
