import type { WatchedPage } from '../../support/browser.js';
import type { Pipeline } from '../../support/pipeline.js';

/** Shared by the parts of the dashboard's test: one pipeline, and one signed-in page. */
export interface Stage {
  readonly pipeline: Pipeline;
  readonly signedIn: WatchedPage;
}

export const open = ({ pipeline, signedIn }: Stage, path: string): Promise<unknown> =>
  signedIn.page.goto(`${pipeline.edge.url}/ui${path}`);

export async function read<Body>({ pipeline }: Stage, path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${pipeline.key}` };
  const answer = await fetch(`${pipeline.edge.url}${path}`, { headers });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

export async function post(
  { pipeline }: Stage,
  path: string,
  body: object,
  url = pipeline.edge.url,
): Promise<Response> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
