// Processor time of this process and its descendants, in seconds, as counted by Linux; undefined on other
// systems. A child that has ended is counted in its parent (cutime, cstime of proc(5)).
const { readdirSync, readFileSync } = require('node:fs');

const ticksPerSecond = 100;

exports.treeSeconds = function treeSeconds() {
  if (process.platform !== 'linux') return undefined;
  const processes = new Map(readdirSync('/proc').filter(isPid).flatMap(statOf));
  const ticksUnder = (pid) => {
    const children = [...processes].filter(([, { parent }]) => parent === pid).map(([child]) => child);
    return children.reduce((sum, child) => sum + ticksUnder(child), processes.get(pid)?.ticks ?? 0);
  };
  return ticksUnder(process.pid) / ticksPerSecond;
};

const isPid = (name) => /^\d+$/.test(name);

/** Empty for a process that has ended in the meantime. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [[Number(pid), { parent: Number(fields[1]), ticks }]];
  } catch {
    return [];
  }
}
