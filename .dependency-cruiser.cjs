/** The folders stand in tsconfig.json in the order of who may import whom: each those before it. */
const { include } = require('./tsconfig.json');

const folders = include.filter((name) => name !== 'bench' && name !== 'test');
const production = folders.join('|');
const after = (name) => folders.slice(folders.indexOf(name) + 1).join('|');

/** Between runtime and cli. Stages meet only in topics. */
const stages = folders.slice(folders.indexOf('runtime') + 1, folders.indexOf('cli')).join('|');
const wrapped =
  '^node_modules/(kafkajs|kafkajs-snappy|@2l/kafkajs-lz4|@bokuweb/zstd-wasm|@kafkajs|@clickhouse|piscina|pino|pino-pretty|prom-client)(/|$)';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan-imports',
      severity: 'error',
      from: { pathNot: '^dashboard/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'schemas-import-nothing',
      severity: 'error',
      from: { path: '^schemas/' },
      to: { path: `^(${after('schemas')})/` },
    },
    {
      name: 'topics-import-schemas-only',
      severity: 'error',
      from: { path: '^topics/' },
      to: { path: `^(${after('topics')})/` },
    },
    {
      name: 'runtime-imports-no-stage',
      severity: 'error',
      from: { path: '^runtime/' },
      to: { path: `^(${after('runtime')})/` },
    },
    {
      name: 'stages-never-import-each-other',
      severity: 'error',
      from: { path: `^(${stages})/` },
      to: { path: `^(${after('runtime')})/`, pathNot: '^$1/' },
    },
    {
      name: 'processors-and-sinks-are-independent-of-their-siblings',
      severity: 'error',
      from: { path: '^(processors|sinks)/([^/]+)/' },
      to: { path: '^$1/[^/]+/', pathNot: '^$1/$2/' },
    },
    {
      name: 'metrics-are-pure',
      comment:
        'A scorer could be lifted out as a library: it imports no runtime, no I/O and no other folder.',
      severity: 'error',
      from: { path: '^processors/score-metrics/metrics/' },
      to: { path: '^(runtime|topics)/' },
    },
    {
      name: 'health-rules-are-pure',
      comment:
        'A rule evaluates plain values: it imports no runtime, no topic, no schema and no other folder.',
      severity: 'error',
      from: { path: '^processors/cluster-health/rules/' },
      to: { pathNot: '^processors/cluster-health/rules/' },
    },
    {
      name: 'only-runtime-imports-the-wrapped-libraries',
      severity: 'error',
      from: { path: `^(${production})/`, pathNot: '^runtime/' },
      to: { path: wrapped },
    },
    {
      name: 'kafkajs-stays-in-runtime-kafka',
      comment:
        'Types too: what leaves the folder is declared in it, so that another client could take its place.',
      severity: 'error',
      from: { path: '^runtime/', pathNot: '^runtime/kafka/' },
      to: { path: '^node_modules/(kafkajs|kafkajs-snappy|@2l/kafkajs-lz4)(/|$)' },
    },
    {
      name: 'clients-of-kafkajs-stay-in-runtime-kafka',
      comment: 'Its clients would carry its types along without an import.',
      severity: 'error',
      from: { path: `^(${production})/`, pathNot: '^runtime/kafka/' },
      to: { path: '^runtime/kafka/client/client[.]ts$' },
    },
    {
      name: 'one-client-for-search-clusters',
      comment: 'Every call to a search cluster goes through the allow-list of agent/integration/client.',
      severity: 'error',
      from: { path: `^(${production})/`, pathNot: '^agent/integration/client/' },
      to: { path: '^node_modules/(@elastic|undici)(/|$)' },
    },
    {
      name: 'the-dashboard-talks-http-only',
      comment:
        'Its types come from the OpenAPI document; whether its packages are there, its own compiler says.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: `^(${include.join('|')})/` },
    },
    {
      name: 'nothing-imports-the-dashboard',
      severity: 'error',
      from: { path: `^(${production})/` },
      to: { path: '^dashboard/' },
    },
    {
      name: 'production-never-imports-development',
      severity: 'error',
      from: { path: `^(${production})/` },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types'],
    },
  },
};
