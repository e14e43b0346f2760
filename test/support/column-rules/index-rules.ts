import { indexFigures, primaryFigures } from '../../../schemas/cluster-rows/index-columns.js';
import { operationFigures } from '../../../schemas/cluster-rows/operation-figures.js';
import { at } from '../cluster-answers.js';
import type { ColumnRules } from '../same-columns.js';
import { below, derived, each, flat } from './counterparts.js';
import { absentOperations, operations } from './operation-rules.js';

/** The default of integration.json, in milliseconds. */
const slowThreshold = 500;

export const indexRules: ColumnRules = {
  same: {
    ...below(({ listed }) => listed, {
      index: 'index',
      uuid: 'uuid',
      health: 'health',
      primaries: 'pri',
      replicas: 'rep',
    }),
    ...flat(({ listed }) => listed, {
      state: 'status',
      docs_count: 'docs.count',
      docs_deleted: 'docs.deleted',
      store_bytes: 'store.size',
      primary_store_bytes: 'pri.store.size',
    }),
    ...below((answers) => at(answers.index, 'total'), operations),
    ...below((answers) => at(answers.index, 'primaries'), {
      primary_docs_count: 'docs.count',
      primary_docs_deleted: 'docs.deleted',
      primary_segments_count: 'segments.count',
    }),
    slow_search_threshold_ms: () => slowThreshold,
    slow_indexing_threshold_ms: () => slowThreshold,
  },
  without: {
    ...each(
      [
        ...indexFigures.filter((figure) => !figure.endsWith('threshold_ms')),
        ...operationFigures,
        ...primaryFigures
          .filter((figure) => /_per_second$|_latency_ms$/.test(figure))
          .map((figure) => `primary_${figure}`),
      ],
      derived,
    ),
    incarnation: 'a digest of where its shards are',
  },
  absent: (major) => absentOperations('indices.*.total', major),
};
