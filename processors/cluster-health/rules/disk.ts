import { stageOf, type DiskStage } from './disk-limits.js';
import { deduct, notMeasured, type Deduction, type Rule } from './rule.js';
import type { DiskState, Limit } from './situation.js';
import { bytes, count, named, percent } from './wording.js';

const points: Readonly<Record<DiskStage, number>> = { low: 7, high: 15, flood_stage: 25 };
const mostPoints = 30;

const consequence: Readonly<Record<DiskStage, string>> = {
  low: 'no new shards are allocated there',
  high: 'its shards are moved away',
  flood_stage: 'every index with a shard there is made read-only',
};

interface Full {
  readonly disk: DiskState;
  readonly stage: DiskStage;
  readonly limit: Limit;
}

/** Disks against the watermarks that the cluster has configured. One full path is enough to affect its node. */
export const disk: Rule = {
  name: 'disk',
  category: 'disk',
  judge({ disks, withoutDisks, watermarks }) {
    if (!disks.known) return notMeasured('disk space', disks.reason);
    const assumed =
      watermarks.assumed === null
        ? []
        : [{ what: 'disk watermarks', reason: `${watermarks.assumed}: Elasticsearch's defaults are used` }];
    if (!watermarks.enabled) {
      return notMeasured(
        'disk watermarks',
        'the cluster does not look at disk space (cluster.routing.allocation.disk.threshold_enabled is false)',
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
        : [{ what: 'disk space', reason: `not given by ${named(withoutDisks)}` }];
    const notJudged = [...assumed, ...exempted, ...missing];
    const full = disks.value
      .flatMap((each): Full[] => {
        const found = stageOf(each, watermarks);
        return found === undefined ? [] : [{ disk: each, ...found }];
      })
      .sort((one, other) => points[other.stage] - points[one.stage] || fullness(other) - fullness(one));
    const [worst] = full;
    if (worst === undefined) return { deductions: [], notMeasured: notJudged };
    const others = new Set(full.map(({ disk: { node } }) => node)).size - 1;
    return { ...deduct(deductionOf(worst, others, watermarks.assumed !== null)), notMeasured: notJudged };
  },
};

const fullness = ({ disk: { totalBytes, availableBytes } }: Full): number => 1 - availableBytes / totalBytes;

function deductionOf(worst: Full, others: number, assumed: boolean): Deduction {
  const { disk: at, stage, limit } = worst;
  const name = stage.replace('_', ' ');
  const headroom = limit.maxHeadroomBytes === null ? '' : `, at most ${bytes(limit.maxHeadroomBytes)} free`;
  const watermark = `${name} watermark (${limit.text}${headroom}${assumed ? ', assumed' : ''})`;
  const more = others === 0 ? '' : ` ${count(others, 'more node is', 'more nodes are')} past a watermark.`;
  return {
    code: `disk_${stage}`,
    points: Math.min(mostPoints, points[stage] + others),
    reason: `${at.node}: ${at.path} is ${percent(fullness(worst))} full with ${bytes(at.availableBytes)} left, past the ${watermark}: ${consequence[stage]}.${more}`,
  };
}
