import { ClickHouseError } from '@clickhouse/client';
import assert from 'node:assert/strict';
import { failureOf } from '../../../../runtime/clickhouse/failures.js';

describe('the failure of a call to ClickHouse', () => {
  it('names the settings of the account if the user or the password is refused', () => {
    const cause = new ClickHouseError({
      message: 'telltale: Authentication failed: password is incorrect, or there is no user with such name. ',
      code: '516',
      type: 'AUTHENTICATION_FAILED',
    });
    const { code, message } = failureOf(cause, 'http://127.0.0.1:8123');
    assert.equal(code, 'CLICKHOUSE_REFUSED');
    assert.match(
      message,
      /no user with such name\. Set CLICKHOUSE_WRITER_USER and CLICKHOUSE_WRITER_PASSWORD/,
    );
  });
});
