/** @type {import('prettier').Config} */
module.exports = {
  ...require('@backstage/cli/config/prettier'),
  overrides: [
    {
      // Babel parses faster than TypeScript's compiler, and the output is the same for all files. Invalid
      // TypeScript that Babel accepts is reported by the type check.
      files: '*.{ts,mts,tsx}',
      options: { parser: 'babel-ts' },
    },
  ],
};
