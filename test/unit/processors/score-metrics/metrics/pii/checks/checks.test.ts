import assert from 'node:assert/strict';
import { passesDeaCheck } from '../../../../../../../processors/score-metrics/metrics/pii/checks/dea.js';
import { isIpv4, isIpv6 } from '../../../../../../../processors/score-metrics/metrics/pii/checks/ip.js';
import { passesLuhn } from '../../../../../../../processors/score-metrics/metrics/pii/checks/luhn.js';
import { isRoundNumber } from '../../../../../../../processors/score-metrics/metrics/pii/checks/round-number.js';

describe('a round number', () => {
  it('ends in five zeros or more', () => {
    for (const digits of ['100000', '2500000', '00000']) assert.ok(isRoundNumber(digits), digits);
    for (const digits of ['10000', '1000001', '']) assert.ok(!isRoundNumber(digits), digits);
  });
});

describe('check digits', () => {
  it('of Luhn catch any single wrong digit', () => {
    const number = '4539578763621486';
    assert.ok(passesLuhn(number));
    for (let at = 0; at < number.length; at++) {
      const other = (Number(number.charAt(at)) + 1) % 10;
      assert.ok(!passesLuhn(number.slice(0, at) + String(other) + number.slice(at + 1)));
    }
  });

  it('of the DEA are the sum of odd places and twice the even ones', () => {
    assert.ok(passesDeaCheck('AB1234563'));
    assert.ok(!passesDeaCheck('AB1234562'));
  });
});

describe('the text forms of addresses', () => {
  it('are four bytes in IPv4', () => {
    for (const text of ['0.0.0.0', '255.255.255.255', '10.20.30.40']) assert.ok(isIpv4(text), text);
    for (const text of ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.', ''])
      assert.ok(!isIpv4(text), text);
  });

  it('are eight groups in IPv6, zeros left out once, and perhaps IPv4 last', () => {
    for (const text of [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7::',
      '::ffff:1.2.3.4',
      '1:2:3:4:5:6:1.2.3.4',
    ]) {
      assert.ok(isIpv6(text), text);
    }
    for (const text of [
      '1:2:3:4:5:6:7',
      '1::2::3',
      '1:2:3:4:5:6:7:8::',
      '12345::',
      '1.2.3.4::',
      ':::',
      '1:',
      'g::',
    ]) {
      assert.ok(!isIpv6(text), text);
    }
  });
});
