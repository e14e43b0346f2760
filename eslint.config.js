import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['dist/', 'node_modules/', '.telltale/', '.telltale-test/', 'dashboard/generated/'],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
    },
  },
  // `process.env` is read in one place, so that every variable is validated and documented.
  {
    files: ['**/*.ts'],
    ignores: ['cli/**', 'stack/**', 'test/**', 'bench/**'],
    rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env' }] },
  },
  // People search for log lines by their event, so that the words can change.
  {
    files: ['**/*.ts'],
    ignores: ['test/**', 'bench/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression:matches([callee.object.name='logger'], [callee.object.property.name='logger'])" +
            '[callee.property.name=/^(trace|debug|info|warn|error|fatal)$/]' +
            ":not([arguments.0.properties.0.key.name='event']" +
            '[arguments.0.properties.0.value.value=/^[a-z]+(-[a-z]+)*$/])',
          message: "A log line begins with a stable code: logger.info({ event: 'what-happened', … }, '…').",
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  {
    files: ['cli/**', 'stack/**', 'bench/**', 'bin/**', 'test/**', 'dashboard/*.mjs'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['eslint.config.js', 'dashboard/vite.config.js', '**/*.mjs', '**/*.cjs'],
    ...tseslint.configs.disableTypeChecked,
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['eslint.config.js', 'dashboard/vite.config.js'], rules: { 'no-restricted-exports': 'off' } },
);
