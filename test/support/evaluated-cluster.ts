import type { SearchClient } from '../../agent/collectors/client-port.js';
import { defaultCollectorSettings, type CollectorSettings } from '../../agent/collectors/settings.js';
import type { ClusterHealth } from '../../schemas/generated/cluster-health.js';
import type { SectionName } from '../../schemas/snapshots.js';
import { collectAll } from './cluster-captures.js';
import { SteppedCluster, snapshot } from './cluster-snapshots.js';
import { healthsOf } from './health-records.js';

/** The processor's verdicts on a cluster that the agent's collectors read; each look is a minute later. */
export class EvaluatedCluster {
  private readonly stepped = new SteppedCluster();
  private minute = 0;

  constructor(
    private readonly client: SearchClient,
    private readonly version: string,
    private readonly settings: CollectorSettings = defaultCollectorSettings,
  ) {}

  async look(only?: readonly SectionName[]): Promise<ClusterHealth> {
    this.minute += 1;
    const outcomes = await collectAll(this.client, this.settings, only);
    const snapshots = [...outcomes].flatMap(([section, outcome]) =>
      outcome.ok && outcome.collected !== null
        ? [
            snapshot(section, this.minute, outcome.collected.body, {
              partial: outcome.collected.partial,
              cluster_version: this.version,
            }),
          ]
        : [],
    );
    await this.stepped.run(snapshots);
    const last = healthsOf(this.stepped).at(-1);
    if (last === undefined) throw new Error('nothing was said of the cluster');
    return last;
  }
}
