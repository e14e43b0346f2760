/** Typical searches of applications, of the most frequent kinds in slow logs. Few name a credential. */
const searches: readonly unknown[] = [
  {
    size: 20,
    from: 40,
    query: {
      bool: {
        must: [{ multi_match: { query: 'wireless noise cancelling headphones', fields: ['title^3', 'brand', 'description'] } }],
        filter: [{ term: { in_stock: true } }, { range: { price: { gte: 20, lte: 250 } } }, { terms: { category: ['audio', 'travel'] } }],
        should: [{ match_phrase: { title: { query: 'noise cancelling', boost: 2 } } }],
      },
    },
    sort: [{ _score: { order: 'desc' } }, { updated_at: { order: 'desc', missing: '_last' } }],
    highlight: { fields: { title: {}, description: { fragment_size: 120 } } },
    aggs: { brands: { terms: { field: 'brand.keyword', size: 25 } }, prices: { histogram: { field: 'price', interval: 25 } } },
    track_total_hits: true,
  },
  {
    size: 0,
    query: {
      bool: {
        filter: [
          { range: { '@timestamp': { gte: '2026-03-01T00:00:00.000Z', lte: '2026-03-02T00:00:00.000Z', format: 'strict_date_optional_time' } } },
          { match_phrase: { 'service.name': 'checkout' } },
          { exists: { field: 'error.type' } },
        ],
        must_not: [{ match: { 'http.response.status_code': 200 } }],
      },
    },
    aggs: {
      over_time: {
        date_histogram: { field: '@timestamp', fixed_interval: '30m', time_zone: 'Europe/Berlin', min_doc_count: 1 },
        aggs: { hosts: { terms: { field: 'host.name', order: { _count: 'desc' }, size: 5 } }, p95: { percentiles: { field: 'event.duration', percents: [95, 99] } } },
      },
    },
  },
  {
    query: { query_string: { query: 'level:error AND message:"connection reset by peer" AND NOT host:web-0*', default_field: 'message', analyze_wildcard: true } },
    size: 500,
    docvalue_fields: [{ field: '@timestamp', format: 'date_time' }],
    _source: { excludes: ['raw', 'payload'] },
    sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
  },
  { query: { terms: { _id: ['7d444840-9dc0-11d1-b245-5ffdce74fad2', 'c9bf9e57-1685-4c89-bafb-ff5af830be8a'], boost: 1.0 } }, version: true },
  {
    size: 10,
    query: {
      function_score: {
        query: { match: { body: { query: 'how do i change the address of an order', operator: 'and', minimum_should_match: '75%' } } },
        functions: [{ gauss: { published: { origin: 'now', scale: '30d', decay: 0.5 } } }, { field_value_factor: { field: 'votes', modifier: 'log1p' } }],
        script_score: { script: { source: "Math.log(2 + doc['votes'].value) * params.weight", lang: 'painless', params: { weight: 1.2 } } },
      },
    },
    suggest: { spelling: { text: 'adress', term: { field: 'body' } } },
  },
  {
    query: { bool: { filter: [{ geo_distance: { distance: '12km', location: { lat: 52.52, lon: 13.405 } } }, { term: { 'tenant.id': 4711 } }] } },
    collapse: { field: 'owner_id', inner_hits: { name: 'latest', size: 3, sort: [{ created: 'desc' }] } },
    search_after: [1772323200000, 'order-000918273'],
    pit: { keep_alive: '1m', id: 'k1' },
  },
  { query: { match: { note: 'the customer wrote: my password is hunter2, please reset it' } }, size: 5 },
]; // prettier-ignore

/** Their texts, as in a slow log. */
export const typicalSources: readonly string[] = searches.map((search) => JSON.stringify(search));
