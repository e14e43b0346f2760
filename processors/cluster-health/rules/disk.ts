import { explained } from './advice.js';
import { stageOf, type DiskStage } from './disk-limits.js';
import { nameOf, presentFirst } from './node-names.js';
import { deduct, notMeasured, type Deduction, type Rule } from './rule.js';
import type { DiskState, Limit } from './situation.js';
import { bytes, named, percent } from './wording.js';

const points: Readonly<Record<DiskStage, number>> = { low: 7, high: 15, flood_stage: 25 };
const mostPoints = 30;

interface Full {
  readonly disk: DiskState;
  readonly stage: DiskStage;
  readonly limit: Limit;
}

/** Compares disks with the watermarks that the cluster has configured. One full path is enough to affect its node. */
export const disk: Rule = {
  name: 'disk',
  category: 'disk',
  evaluate({ disks, withoutDisks, watermarks }) {
    if (!disks.known) return notMeasured('disk space', disks.reason);
    const assumed =
      watermarks.assumed === null
        ? []
        : [{ what: 'disk watermarks', reason: `${watermarks.assumed}: Elasticsearch's defaults are used` }];
    if (!watermarks.enabled) {
      return notMeasured(
        'disk watermarks',
        'the cluster does not check disk space (cluster.routing.allocation.disk.threshold_enabled is false)',
      );
    }
    const exempted = watermarks.floodStageOnly
      ? [
          {
            what: 'low and high disk watermarks',
            reason:
              'a cluster of this version does not apply them to a single data node (cluster.routing.allocation.disk.watermark.enable_for_single_data_node is not true)',
          },
        ]
      : [];
    const missing =
      withoutDisks.length === 0
        ? []
        : [{ what: 'disk space', reason: `not reported by ${named(withoutDisks)}` }];
    const notEvaluated = [...assumed, ...exempted, ...missing];
    const full = disks.value
      .flatMap((each): Full[] => {
        const found = stageOf(each, watermarks);
        return found === undefined ? [] : [{ disk: each, ...found }];
      })
      .sort((one, other) => points[other.stage] - points[one.stage] || fullness(other) - fullness(one));
    const [worst] = full;
    if (worst === undefined) return { deductions: [], notMeasured: notEvaluated };
    const deduction = deductionOf(worst, full, watermarks.assumed !== null);
    return { ...deduct(deduction), notMeasured: notEvaluated };
  },
};

const fullness = ({ disk: { totalBytes, availableBytes } }: Full): number => 1 - availableBytes / totalBytes;

function deductionOf({ stage }: Full, full: readonly Full[], assumed: boolean): Deduction {
  const nodes = new Map(
    full.toReversed().map((each) => [each.disk.node, each]), // The worst path of each node.
  );
  const others = nodes.size - 1;
  const [first, ...more] = [...nodes.values()]
    .toSorted((one, other) => points[other.stage] - points[one.stage] || fullness(other) - fullness(one))
    .toSorted((one, other) => presentFirst(one.disk, other.disk));
  const found = first === undefined ? '' : foundOn(first, assumed);
  const rest = more.map(
    (each) => `${nameOf(namedDisk(each))} (${percent(fullness(each), 1)}, ${wordsOf(each.stage)})`,
  );
  const also = rest.length === 0 ? '' : ` Also past a watermark: ${named(rest)}.`;
  return {
    code: `disk_${stage}`,
    points: Math.min(mostPoints, points[stage] + others),
    reason: explained(`disk_${stage}`, `${found}${also}`),
  };
}

function foundOn(full: Full, assumed: boolean): string {
  const { disk: at, stage, limit } = full;
  const headroom =
    limit.maxHeadroomBytes === null ? '' : `, or ${bytes(limit.maxHeadroomBytes)} free if that is less`;
  const watermark = `the ${wordsOf(stage)} watermark (${limit.text}${headroom}${assumed ? ', assumed' : ''})`;
  return `${nameOf(namedDisk(full))} is past ${watermark}: ${at.path} is ${percent(fullness(full), 1)} full, with ${bytes(at.availableBytes)} left.`;
}

const wordsOf = (stage: DiskStage): string => stage.replace('_', ' ');

const namedDisk = ({ disk }: Full): Parameters<typeof nameOf>[0] => ({
  name: disk.node,
  absence: disk.absence,
});
