import assert from 'node:assert/strict';
import { maintenanceConfig } from '../../../../cli/maintenance/config.js';
import { readConfig } from '../../../../runtime/config.js';

const schedule = (text: string) =>
  Object.fromEntries(readConfig(maintenanceConfig, { MAINTENANCE_SCHEDULE: text }).MAINTENANCE_SCHEDULE);

describe('MAINTENANCE_SCHEDULE', () => {
  it('has a time for each task, and leaves out tasks without one', () => {
    assert.deepEqual(schedule('audit=30 3 * * *; doctor= ; keys=0 7 * * 1,3;'), {
      audit: '30 3 * * *',
      keys: '0 7 * * 1,3',
    });
    assert.deepEqual(schedule(''), {});
  });

  it('says what is wrong with each part', () => {
    for (const [text, problem] of [
      ['audits=* * * * *', /'audits' is not a task; the tasks are audit, doctor, keys/],
      ['audit=* * * * *; audit=1 * * * *', /audit is given twice/],
      ['doctor=61 * * * *', /doctor: '61 \* \* \* \*' is not a cron expression: /],
      ['0 3 * * *', /'0 3 \* \* \*' is not a task/],
    ] as const)
      assert.throws(() => schedule(text), problem);
  });
});
