// Mocha's usual report; the totals also go to a file, for the last line of `npm test`.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class SpecWithTotals extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      writeFileSync(options.reporterOptions.totals, JSON.stringify({ passes, failures }));
    });
  }
};
