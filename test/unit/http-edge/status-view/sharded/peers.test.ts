import assert from 'node:assert/strict';
import { shardingConfig } from '../../../../../http-edge/status-view/sharded/config.js';
import { introduce, provenUrl } from '../../../../../http-edge/peers/peer-proof.js';
import {
  askedBy,
  keptPath,
  questionPath,
} from '../../../../../http-edge/status-view/sharded/questions-to-peers.js';
import { readConfig } from '../../../../../runtime/config.js';

const secret = 'a-secret-of-edges-that-share-statuses';

describe('edges that know each other by a secret', () => {
  it('believe an address that was given by one of them', () => {
    assert.equal(provenUrl(introduce('http://10.0.0.7:8079', secret), secret), 'http://10.0.0.7:8079');
  });

  it('believe no other address, and nothing that is not an introduction', () => {
    const other = introduce('http://10.6.6.6:8079', 'another secret, as long as the first');
    const moved = introduce('http://10.0.0.7:8079', secret).replace('10.0.0.7', '10.6.6.6');
    for (const about of [other, moved, '', 'null', '{}', '{"url":"http://10.6.6.6:8079","proof":""}'])
      assert.equal(provenUrl(about, secret), undefined, about);
  });

  it('ask by paths that are parsed as they were written', () => {
    const question = { taskId: '018f-a', workspace: 'a&b=ü /?' };
    assert.deepEqual(askedBy(questionPath(7, question)), { partition: 7, question });
    const anyone = { taskId: '018f-a', workspace: undefined };
    assert.deepEqual(askedBy(questionPath(7, anyone)), { partition: 7, question: anyone });
    assert.deepEqual(askedBy(keptPath(7)), { partition: 7 });
    for (const path of ['/', '/partitions/x', '/partitions/1/tasks/', '/partitions/1/tasks/a?other=1'])
      assert.equal(askedBy(path), undefined, path);
  });

  it('do not start if the secret or the address is missing, and say which', () => {
    assert.throws(
      () => readConfig(shardingConfig, { STATUS_VIEW: 'sharded' }),
      (error: Error) => {
        assert.match(error.message, /EDGE_PEER_URL: must be the URL/);
        assert.match(error.message, /EDGE_PEER_SECRET: must be at least 32 characters/);
        return true;
      },
    );
    const spaced = { STATUS_VIEW: 'sharded', EDGE_PEER_URL: 'http://a:1', EDGE_PEER_SECRET: 'x '.repeat(20) };
    assert.throws(() => readConfig(shardingConfig, spaced), /EDGE_PEER_SECRET/);
    assert.throws(() => readConfig(shardingConfig, { EDGE_PEER_URL: 'http://a:1' }), /EDGE_PEER_SECRET/);
    assert.equal(readConfig(shardingConfig, {}).STATUS_VIEW, 'whole');
  });
});
