import assert from 'node:assert/strict';
import { identify } from '../../../../../agent/integration/client/identify.js';
import { openSearchRoot } from '../../../../support/opensearch-stub.js';

function root(version: object, more: object = {}): { body: object } {
  const cluster = { name: 'n1', cluster_name: 'shop', cluster_uuid: 'ZPqtMNDPRMSUuCkhIX8ZPQ' };
  return { body: { ...cluster, version, tagline: 'You Know, for Search', ...more } };
}

const reasonFor = (answer: { body: unknown }): string | undefined => {
  const found = identify(answer);
  return found.supported ? undefined : found.reason;
};

describe('the product behind an address', () => {
  it('is accepted if it is Elasticsearch 7.0 to 9', () => {
    for (const number of ['7.0.0', '7.9.3', '7.13.4', '7.17.15', '8.14.1', '9.4.3', '9.5.0-SNAPSHOT']) {
      const found = identify(root({ number, build_flavor: 'default' }));
      assert.deepEqual(found, {
        supported: true,
        identity: { uuid: 'ZPqtMNDPRMSUuCkhIX8ZPQ', name: 'shop', version: number },
      });
    }
  });

  it('has no identity before its cluster has formed', () => {
    const found = identify(root({ number: '7.17.15' }, { cluster_uuid: '_na_' }));
    assert.equal(found.supported && found.identity.uuid, null);
  });

  it('is refused if it is another product, or too old or too new', () => {
    assert.equal(reasonFor({ body: openSearchRoot }), 'it is opensearch 2.19.6');
    const faked = { ...openSearchRoot.version, number: '7.10.2' };
    assert.equal(reasonFor({ body: { ...openSearchRoot, version: faked } }), 'it is opensearch 7.10.2');
    assert.match(reasonFor(root({ number: '8.11.0', build_flavor: 'serverless' })) ?? '', /serverless/);
    assert.equal(reasonFor(root({ number: '6.8.23' })), 'it is Elasticsearch 6.8.23');
    assert.equal(reasonFor(root({ number: '10.0.0' })), 'it is Elasticsearch 10.0.0');
    assert.equal(reasonFor(root({ number: '2.4.5' })), 'it is Elasticsearch 2.4.5');
  });

  it('is refused if it is no search cluster at all', () => {
    for (const body of ['<html>', '', null, 3, [], {}, { version: null }, { version: '8.0.0' }]) {
      assert.notEqual(reasonFor({ body }), undefined);
    }
    assert.match(
      reasonFor(root({ number: '8.14.1' }, { tagline: 'You Know, for Trees' })) ?? '',
      /like Elasticsearch/,
    );
  });
});
