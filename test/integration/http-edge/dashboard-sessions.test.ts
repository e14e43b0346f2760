import assert from 'node:assert/strict';
import { newLink } from '../../../http-edge/dashboard/sessions.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';

const session = '/ui/api/session';
const keys = '/ui/api/v1/keys';
const clusters = '/ui/api/v1/clusters';
const minute = 60_000_000;

describe('signing in to the dashboard', () => {
  let edge: EdgeInMemory;
  /** Microseconds since 1970. */
  let now: number;
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 2) * 1_000;
    edge = await startEdgeInMemory({ clock: () => now });
    edge.ports.keys.set('viewer', keyRecord('viewer', 'secret', ['read']));
    edge.ports.keys.set('metrics', keyRecord('metrics', 'secret', ['metrics']));
  });
  afterEach(() => edge.stop());

  const own = {
    'sec-fetch-site': 'same-origin',
    'x-telltale-dashboard': '1',
    'content-type': 'application/json',
  };
  const ask = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Response> =>
    fetch(`${edge.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const signIn = (body: object, headers: Record<string, string> = own): Promise<Response> =>
    ask('POST', session, headers, body);
  /** The headers that a signed-in page sends. */
  const as = async (body: object): Promise<Record<string, string>> => {
    const answer = await signIn(body);
    assert.equal(answer.status, 200);
    return { ...own, cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  const linkToken = (): string => {
    const { token, session: link } = newLink(
      { workspace: 'acme', role: 'admin', key_id: null, subject: null },
      now / 1_000,
    );
    edge.ports.sessionRecords.set(link.id, link);
    return token;
  };
  const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;

  it('accepts an API key, and sets a cookie for this host only', async () => {
    const answer = await signIn({ key: edge.token });
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^__Host-sid=[\w-]{43}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const { workspace, role } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual([workspace, role], ['acme', 'admin']);
  });

  it('lists the sessions of only their workspace to admins, who can end one', async () => {
    interface Listed {
      readonly session_id: string;
      readonly began_by: string;
      readonly role: string;
    }
    const sessions = '/ui/api/v1/sessions';
    const listed = async (headers: Record<string, string>): Promise<readonly Listed[]> =>
      ((await (await ask('GET', sessions, headers)).json()) as { sessions: Listed[] }).sessions;
    edge.ports.keys.set('theirs', keyRecord('theirs', 'secret', ['admin'], { workspace: 'others' }));
    const [viewer, admin, other] = [
      await as({ key: 'tt_viewer_secret' }),
      await as({ link: linkToken() }),
      await as({ key: 'tt_theirs_secret' }),
    ];
    const found = await listed(admin);
    assert.deepEqual(found.map(({ began_by: way, role }) => [way, role]).sort(), [
      ['key', 'viewer'],
      ['link', 'admin'],
    ]);
    assert.equal(await statusOf(ask('GET', sessions, viewer)), 403);
    assert.equal((await listed(other)).length, 1);
    const id = found.find(({ role }) => role === 'viewer')?.session_id ?? '';
    assert.equal(await statusOf(ask('DELETE', `${sessions}/${id}`, other)), 404);
    assert.equal(await statusOf(ask('DELETE', `${sessions}/${id}`, viewer)), 403);
    assert.equal(await statusOf(ask('GET', clusters, viewer)), 200);
    assert.equal(await statusOf(ask('DELETE', `${sessions}/${id}`, admin)), 204);
    assert.equal(await statusOf(ask('GET', clusters, viewer)), 401);
    assert.equal((await listed(admin)).length, 1);
  });

  it('limits each session to the rate of a key, separately from the key that it started with', async () => {
    const limited = await startEdgeInMemory({ config: { EDGE_RATE_LIMIT_PER_SECOND: 1 }, clock: () => now });
    const cookieOf = async (): Promise<string> => {
      const body = JSON.stringify({ key: limited.token });
      const answer = await fetch(`${limited.url}${session}`, { method: 'POST', headers: own, body });
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    };
    const [one, other] = [await cookieOf(), await cookieOf()];
    const read = (cookie: string): Promise<Response> => limited.get(clusters, { ...own, cookie });
    assert.equal(await statusOf(read(one)), 200);
    const refused = await read(one);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.equal(await statusOf(read(other)), 200);
    const authorization = `Bearer ${limited.token}`;
    assert.equal(await statusOf(limited.get('/api/v1/clusters', { authorization })), 200);
    now += minute;
    assert.equal(await statusOf(read(one)), 200);
    await limited.stop();
  });

  it('answers null if nobody is signed in', async () => {
    assert.equal(await (await ask('GET', session, own)).json(), null);
    assert.equal(await statusOf(ask('GET', keys, own)), 401);
  });

  it('refuses a key that may neither read nor administer, and one that is unknown', async () => {
    assert.equal(await statusOf(signIn({ key: 'tt_metrics_secret' })), 403);
    assert.equal(await statusOf(signIn({ key: 'tt_viewer_guess' })), 401);
    assert.equal(await statusOf(signIn({})), 422);
  });

  it('takes a link once, within ten minutes', async () => {
    const link = linkToken();
    assert.equal(await statusOf(signIn({ link })), 200);
    assert.equal(await statusOf(signIn({ link })), 401);
    const late = linkToken();
    now += 10 * minute;
    assert.equal(await statusOf(signIn({ link: late })), 401);
  });

  it('starts one session if a link is used many times at once', async () => {
    const link = linkToken();
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(signIn({ link }))));
    assert.equal(statuses.filter((status) => status === 200).length, 1);
  });

  it('lets a viewer read, and not administer', async () => {
    const viewer = await as({ key: 'tt_viewer_secret' });
    assert.equal(await statusOf(ask('GET', clusters, viewer)), 200);
    assert.equal(await statusOf(ask('GET', keys, viewer)), 403);
    assert.equal(await statusOf(ask('POST', keys, viewer, { name: 'a', scopes: ['read'] })), 403);
  });

  it('lets an admin score a text, and a viewer only if the key may', async () => {
    edge.ports.keys.set('scorer', keyRecord('scorer', 'secret', ['read', 'metrics']));
    const path = '/ui/api/v1/monitoring/metrics';
    const score = (who: Record<string, string>): Promise<Response> =>
      ask('POST', path, who, { prompt: 'A text.' });
    const admin = await as({ link: linkToken() });
    const scorer = await as({ key: 'tt_scorer_secret' });
    assert.equal(await statusOf(score(await as({ key: 'tt_viewer_secret' }))), 403);
    assert.equal(await statusOf(score(own)), 401);
    assert.equal(await statusOf(score({ ...admin, 'sec-fetch-site': 'cross-site' })), 403);
    assert.equal(await statusOf(ask('POST', path, admin, { prompt: '' })), 422);
    // The edge's clock stands still, so it answers too late. Only the appended calls matter here.
    for (const who of [admin, scorer]) await score(who);
    assert.deepEqual(
      edge.ports.realtime.map(({ workspace, key_id: key }) => [workspace, key]),
      [
        ['acme', 'dashboard'],
        ['acme', 'scorer'],
      ],
    );
    const { scopes } = (await (await ask('GET', session, scorer)).json()) as { scopes: readonly string[] };
    assert.deepEqual(scopes, ['read', 'metrics']);
    // A session loses the scopes that its key loses.
    edge.ports.keys.set('scorer', keyRecord('scorer', 'secret', ['read']));
    assert.equal(await statusOf(score(scorer)), 403);
  });

  it('takes no API key on the routes of sessions, and no session on those of the API', async () => {
    const admin = await as({ key: edge.token });
    assert.equal(await statusOf(ask('GET', keys, { ...own, authorization: `Bearer ${edge.token}` })), 401);
    assert.equal(await statusOf(ask('GET', '/api/v1/keys', admin)), 401);
  });

  it('refuses requests from pages of other origins', async () => {
    const admin = await as({ key: edge.token });
    const plain = Object.fromEntries(Object.entries(admin).filter(([name]) => !name.startsWith('x-')));
    const request = { name: 'a', scopes: ['read'] };
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(
        await statusOf(ask('POST', keys, { ...admin, 'sec-fetch-site': site }, request)),
        403,
        site,
      );
      assert.equal(await statusOf(ask('GET', keys, { ...admin, 'sec-fetch-site': site })), 403, site);
      assert.equal(
        await statusOf(signIn({ key: edge.token }, { ...own, 'sec-fetch-site': site })),
        403,
        site,
      );
    }
    assert.equal(await statusOf(ask('POST', keys, plain, request)), 403);
    assert.equal(await statusOf(ask('POST', keys, { ...admin, 'content-type': 'text/plain' }, request)), 415);
    assert.equal(edge.ports.keys.size, 3);
  });

  it('ends a session on sign-out, when its key is revoked or rotated, when idle, and always after twelve hours', async () => {
    const signedOut = await as({ key: edge.token });
    assert.equal(await statusOf(ask('DELETE', session, signedOut)), 204);
    assert.equal(await statusOf(ask('GET', clusters, signedOut)), 401);

    const revoked = await as({ key: 'tt_viewer_secret' });
    edge.ports.keys.set('viewer', keyRecord('viewer', 'secret', ['read'], { revoked_at: now }));
    assert.equal(await statusOf(ask('GET', clusters, revoked)), 401);

    const leaked = await as({ key: edge.token });
    const rotating = await as({ key: edge.token });
    const id = edge.token.split('_')[1] ?? '';
    const rotated = await ask('POST', `${keys}/${id}/rotate`, rotating);
    const { key: token } = (await rotated.json()) as { key: string };
    assert.equal(await statusOf(ask('GET', clusters, leaked)), 401);
    assert.equal(await statusOf(ask('GET', clusters, rotating)), 200);

    const idle = await as({ key: token });
    now += 119 * minute;
    assert.equal(await statusOf(ask('GET', clusters, idle)), 200);
    for (let hour = 2; hour < 12; hour += 1) {
      now += 60 * minute;
      assert.equal(await statusOf(ask('GET', clusters, idle)), 200, `${hour} hours`);
    }
    now += 60 * minute;
    assert.equal(await statusOf(ask('GET', clusters, idle)), 401);

    const left = await as({ key: token });
    now += 121 * minute;
    assert.equal(await statusOf(ask('GET', clusters, left)), 401);
  });

  it('makes a client wait a minute after ten failures', async () => {
    for (let count = 0; count < 10; count += 1)
      assert.equal(await statusOf(signIn({ key: 'tt_viewer_guess' })), 401);
    const refused = await signIn({ key: edge.token });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '60');
    now += minute;
    assert.equal(await statusOf(signIn({ key: edge.token })), 200);
  });

  it('lets through ten of thirty guesses that come at once', async () => {
    const guesses = Array.from({ length: 30 }, () => statusOf(signIn({ key: 'tt_viewer_guess' })));
    const answers = await Promise.all(guesses);
    assert.equal(answers.filter((status) => status === 401).length, 10);
    assert.equal(answers.filter((status) => status === 429).length, 20);
    now += minute;
  });

  it('ends the session of a browser that signs in again', async () => {
    const first = await as({ key: edge.token });
    assert.equal(await statusOf(signIn({ key: edge.token }, first)), 200);
    assert.equal(await statusOf(ask('GET', clusters, first)), 401);
  });

  it('counts failed sign-ins by the address that a trusted proxy names, or else by that of the connection', async () => {
    const behind = await startEdgeInMemory({ config: { EDGE_TRUSTED_PROXIES: ['127.0.0.1'] } });
    const statusFor = async (url: string, client: string): Promise<number> => {
      const headers = { ...own, 'x-forwarded-for': client };
      const init = { method: 'POST', headers, body: JSON.stringify({ key: 'tt_viewer_guess' }) };
      return (await fetch(`${url}${session}`, init)).status;
    };
    try {
      for (const { url } of [edge, behind])
        for (let count = 0; count < 10; count += 1) assert.equal(await statusFor(url, '192.0.2.1'), 401);
      assert.equal(await statusFor(behind.url, '192.0.2.1'), 429);
      assert.equal(await statusFor(behind.url, '192.0.2.2'), 401);
      assert.equal(await statusFor(edge.url, '192.0.2.2'), 429);
    } finally {
      await behind.stop();
    }
  });

  it('keeps a session ended even if a use of it is recorded at the same moment', async () => {
    const admin = await as({ key: edge.token });
    now += 6 * minute;
    await Promise.all([ask('GET', clusters, admin), ask('DELETE', session, admin)]);
    assert.equal(await statusOf(ask('GET', clusters, admin)), 401);
  });

  it('is refused while two hundred sessions are signed in, until one of them ends', async () => {
    const all: Record<string, string>[] = [];
    for (let count = 0; count < 200; count++) all.push(await as({ key: 'tt_viewer_secret' }));
    const link = linkToken();
    const refused = await signIn({ link });
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /Sign out elsewhere/);
    assert.equal(await statusOf(ask('DELETE', session, all[0] ?? {})), 204);
    assert.equal(await statusOf(signIn({ link })), 200);
  });

  it('remembers the two hundred sessions of a workspace that ended last', async () => {
    const count = (): number =>
      [...edge.ports.sessionRecords.values()].filter(({ kind }) => kind === 'session').length;
    for (let signedIn = 0; signedIn < 250; signedIn++)
      await ask('DELETE', session, await as({ key: 'tt_viewer_secret' }));
    assert.equal(count(), 201);
  });
});
