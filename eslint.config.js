import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', 'scripts/site/.vitepress/cache/', 'data/', 'bench/', 'examples/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.cts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      eqeqeq: 'error',
      // An empty setting counts as not set.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      'no-console': 'error',
      // A third of the time of all rules, for nothing: there are no enums, and a class is assigned by its type.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // French has narrow no-break spaces in templates, too; a test finds missing ones.
      'no-irregular-whitespace': ['error', { skipTemplates: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    // node:test's describe and test return promises that the runner itself awaits.
    files: ['test/**/*.ts', 'test/**/*.cts'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['test', 'describe', 'it', 'suite'] },
          ],
        },
      ],
    },
  },
);
