/** The answer of OpenSearch 2.19.6 to `GET /`; the tests can't run a real one. */
export const openSearchRoot = {
  name: 'n1',
  cluster_name: 'opensearch-cluster',
  cluster_uuid: '8m8oIQWdS6GwKWDrgwS9bA',
  version: {
    distribution: 'opensearch',
    number: '2.19.6',
    build_type: 'tar',
    build_snapshot: false,
    lucene_version: '9.12.3',
    minimum_wire_compatibility_version: '7.10.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'The OpenSearch Project: https://opensearch.org/',
};
