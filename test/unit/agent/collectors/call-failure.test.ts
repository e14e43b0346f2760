import assert from 'node:assert/strict';
import { failureOf } from '../../../../agent/collectors/call-failure.js';
import { healthCollector } from '../../../../agent/collectors/sections/health.js';
import { answered, collectFrom } from '../../../support/stub-collection.js';

/** As 9.4.3 answers, with ids made up. */
const refused = (tried: string): object => {
  const said = {
    type: 'security_exception',
    reason:
      'unable to authenticate with provided credentials and anonymous access is not allowed for this request',
    additional_unsuccessful_credentials: `API key: ${tried}`,
  };
  return { error: { root_cause: [said], ...said }, status: 401 };
};

describe('a refusal of credentials', () => {
  it('is final where the cluster does not know them', () => {
    for (const body of [refused('unable to find apikey with id abc'), {}, 'Unauthorized']) {
      assert.equal(failureOf({ status: 401, body, bytes: 0 })?.kind, 'unauthorized');
    }
  });

  it('is not where a node that is starting could not look the key up: the next interval tries again', () => {
    const body = refused('apikey authentication for id abc encountered a failure');
    const failure = failureOf({ status: 401, body, bytes: 0 });
    assert.equal(failure?.kind, 'broken');
    assert.match(failure.reason, /could not check the API key \(401\): it may still be starting/);
    assert.doesNotMatch(failure.reason, /abc/);
  });

  it('is not final within a section either', async () => {
    const body = refused('apikey authentication for id abc encountered a failure');
    const outcome = await collectFrom(healthCollector, () => answered(401, body));
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'broken');
  });
});

describe('a call that is forbidden', () => {
  const answer = (type: string) => ({ status: 403, body: { error: { type }, status: 403 }, bytes: 0 });

  it('lacks a privilege', () => {
    assert.equal(failureOf(answer('security_exception'))?.kind, 'forbidden');
    assert.equal(failureOf({ status: 403, body: 'Forbidden', bytes: 0 })?.kind, 'forbidden');
  });

  it('lacks none where it meets a block, which may be lifted any time: the next interval tries again', () => {
    const failure = failureOf(answer('cluster_block_exception'));
    assert.equal(failure?.kind, 'broken');
    assert.match(failure.reason, /a block .* forbids it/);
  });
});
