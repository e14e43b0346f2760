import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import type { AgentReportBody } from '../../../schemas/agent-report.js';
import { agentReportBody } from '../../support/agent-report-body.js';
import { until } from '../../support/until.js';
import { post, read, type Stage } from './stage.js';
import { knownToBothEdges } from './two-edges.js';

interface Standing {
  readonly status: string;
  readonly hot_threads: string | null;
}
interface Question {
  readonly question_id: string;
  readonly cluster_uuid: string;
}

const path = `/api/v1/clusters/${seededCluster}/hot-threads`;

/** Shared state of edges is in Kafka, not in one of them. */
export function hotThreadsQuestion(stage: () => Stage): void {
  const report = async (changes: Partial<AgentReportBody> = {}): Promise<readonly Question[]> => {
    const cluster = { endpoint: 'http://quay:9200', cluster_uuid: seededCluster, cluster_name: 'bookshop' };
    const answer = await post(
      stage(),
      '/api/v1/agents',
      agentReportBody({
        ...{ agent_id: 'asked', host: 'quay', answers: ['hot-threads'] },
        clusters: [{ ...cluster, state: 'watching', reason: null }],
        ...changes,
      }),
    );
    return answer.status === 204 ? [] : ((await answer.json()) as { asked: readonly Question[] }).asked;
  };

  it('shares sessions, keys and one question between two edges, and keeps its answer if one edge is killed', async () => {
    const { pipeline } = stage();
    const other = await pipeline.anotherEdge();
    try {
      await knownToBothEdges(stage(), other.url);
      const asked = await Promise.all(
        [pipeline.edge.url, other.url].map((url) => post(stage(), path, {}, url)),
      );
      assert.deepEqual(
        asked.map(({ status }) => status),
        [202, 202],
      );
    } finally {
      await other.kill9();
    }
    let questions: readonly Question[] = [];
    await until('the agent is asked', async () => {
      questions = await report();
      return questions.length > 0;
    });
    assert.equal(questions.length, 1);
    const answer = { ...questions[0], host: 'quay', hot_threads: '::: {quay}', message: 'Of quay.' };
    await post(stage(), '/api/v1/agents/hot-threads', answer);
    const { status, hot_threads: text } = await read<Standing>(stage(), path);
    assert.deepEqual([status, text], ['answered', '::: {quay}']);
    assert.deepEqual(await report({ stopping: true }), []);
  });
}
