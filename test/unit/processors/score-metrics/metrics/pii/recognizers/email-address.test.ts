import assert from 'node:assert/strict';
import { emailAddress } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/email-address.js';
import { found } from './found.js';

describe('the recognizer emailAddress', () => {
  it('takes an address', () => {
    assert.deepEqual(found(emailAddress, 'ask Jane.Roe+news@mail.example.co.uk.'), [
      ['Jane.Roe+news@mail.example.co.uk', 1],
    ]);
  });

  it('takes an address between brackets', () => {
    assert.deepEqual(found(emailAddress, 'Jane <jane@example.org>, Joe'), [['jane@example.org', 1]]);
  });

  it('takes punycode', () => {
    assert.deepEqual(found(emailAddress, 'x@xn--bcher-kva.de'), [['x@xn--bcher-kva.de', 1]]);
  });

  it('leaves mailto: out', () => {
    assert.deepEqual(found(emailAddress, 'mailto:jane@example.org'), [['jane@example.org', 1]]);
  });

  it('refuses an unknown suffix', () => {
    assert.deepEqual(found(emailAddress, 'jane@example.notasuffix'), []);
  });

  it('refuses a handle', () => {
    assert.deepEqual(found(emailAddress, 'thanks @jane.doe and all'), []);
  });

  it('refuses two dots', () => {
    assert.deepEqual(found(emailAddress, 'jane..roe@example.org'), []);
  });

  it('refuses a bare host', () => {
    assert.deepEqual(found(emailAddress, 'jane@localhost'), []);
  });

  it('refuses the user name in a web address', () => {
    assert.deepEqual(found(emailAddress, 'https://me:pw@example.org/x'), []);
  });
});
