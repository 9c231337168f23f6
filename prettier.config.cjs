/** @type {import('prettier').Config} */
module.exports = {
  ...require('@backstage/cli/config/prettier'),
  overrides: [
    {
      // Babel parses quicker than TypeScript's compiler, and all files look the same with both. What Babel
      // accepts although it is no TypeScript, the type check reports.
      files: '*.{ts,mts,tsx}',
      options: { parser: 'babel-ts' },
    },
  ],
};
