import assert from 'node:assert/strict';
import { ipAddress } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/ip-address.js';
import { found } from './found.js';

describe('the recognizer ipAddress', () => {
  it('takes IPv4', () => {
    assert.deepEqual(found(ipAddress, 'ping 203.0.113.7!'), [['203.0.113.7', 0.6]]);
  });

  it('leaves the port out', () => {
    assert.deepEqual(found(ipAddress, '203.0.113.7:8080'), [['203.0.113.7', 0.6]]);
  });

  it('takes a network', () => {
    assert.deepEqual(found(ipAddress, 'route 198.51.100.0/24'), [['198.51.100.0/24', 0.6]]);
  });

  it('takes IPv6 with a zone', () => {
    assert.deepEqual(found(ipAddress, 'fe80::a1:2%wlan0 is up'), [['fe80::a1:2%wlan0', 0.6]]);
  });

  it('takes an embedded IPv4', () => {
    assert.deepEqual(found(ipAddress, 'see ::ffff:203.0.113.7'), [['::ffff:203.0.113.7', 0.6]]);
  });

  it('takes full IPv6', () => {
    assert.deepEqual(found(ipAddress, '2001:0db8:1:2:3:4:5:6'), [['2001:0db8:1:2:3:4:5:6', 0.6]]);
  });

  it('is more certain after a word that suggests an address', () => {
    assert.deepEqual(found(ipAddress, 'the server 203.0.113.7'), [['203.0.113.7', 0.95]]);
  });

  it('doubts a version', () => {
    assert.deepEqual(found(ipAddress, 'version 10.2.3.4'), [['10.2.3.4', 0.2]]);
  });

  it('doubts the unspecified address', () => {
    assert.deepEqual(found(ipAddress, 'bind ::'), [['::', 0.1]]);
  });

  it('takes the unspecified address if it can be nothing else', () => {
    assert.deepEqual(found(ipAddress, 'route ::/0'), [['::/0', 0.6]]);
    assert.deepEqual(found(ipAddress, 'listen=:: port=53'), [['::', 0.6]]);
    assert.deepEqual(found(ipAddress, 'the unspecified ::'), [['::', 0.45]]);
    assert.deepEqual(found(ipAddress, 'hand : glove :: foot : sock'), [['::', 0.1]]);
  });

  it('refuses a slice', () => {
    assert.deepEqual(found(ipAddress, 'rows[::2] and xs[1::3]'), []);
  });

  it('refuses a scope', () => {
    assert.deepEqual(found(ipAddress, 'a::b and std::vector'), []);
  });

  it('refuses five numbers', () => {
    assert.deepEqual(found(ipAddress, '1.2.3.4.5'), []);
  });

  it('refuses leading zeros', () => {
    assert.deepEqual(found(ipAddress, '010.0.0.1'), []);
  });

  it('refuses hardware addresses', () => {
    assert.deepEqual(found(ipAddress, '00:1b:44:11:3a:b7'), []);
  });

  it('takes IPv4 after a name and a colon', () => {
    for (const name of ['IP', 'net addr', '{peer', 'eth0', 'ip_4', 'face', 'Serveur_é'])
      assert.deepEqual(
        ipAddress.find(`${name}:203.0.113.7`).map(({ start, end }) => [start, end]),
        [[name.length + 1, name.length + 12]],
        name,
      );
    assert.deepEqual(found(ipAddress, 'from:203.0.113.7:8080.'), [['203.0.113.7', 0.6]]);
    assert.deepEqual(found(ipAddress, 'net:198.51.100.0/24'), [['198.51.100.0/24', 0.6]]);
  });

  it('takes no part of a longer address after a name', () => {
    for (const text of ['text::ffff:203.0.113.7', 'x:1.2.3.4.5', 'x:fe80::1', 'x:1:2:3:4:5:6:7:8'])
      assert.deepEqual(found(ipAddress, text), [], text);
  });

  it('doubts a version after its name and a colon', () => {
    assert.deepEqual(found(ipAddress, 'version:10.2.3.4'), [['10.2.3.4', 0.2]]);
  });
});
