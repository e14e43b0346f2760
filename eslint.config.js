import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      '.telltale/',
      '.telltale-test/',
      'schemas/generated/',
      'dashboard/generated/',
    ],
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
    files: [
      'eslint.config.js',
      'dashboard/vite.config.js',
      '.dependency-cruiser.cjs',
      '**/*.mjs',
      'bin/*.cjs',
    ],
    ...tseslint.configs.disableTypeChecked,
  },
  { files: ['bin/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['eslint.config.js', 'dashboard/vite.config.js'], rules: { 'no-restricted-exports': 'off' } },
);
