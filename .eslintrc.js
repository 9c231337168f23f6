module.exports = {
  root: true,
  // The shared rules look for Jest's version; the tests run in Vitest, whose API is Jest's.
  settings: { jest: { version: 29 } },
  plugins: ['redos'],
  overrides: [
    {
      // A regular expression that takes more than linear time lets one request stop a process.
      files: ['**/src/**/*.{ts,tsx}', '**/.storybook/**/*.js'],
      excludedFiles: ['**/*.test.{ts,tsx}', '**/__*__/**', '**/testing/**'],
      rules: {
        'redos/no-vulnerable': [
          'error',
          {
            // By the number of steps: by time, a busy machine makes any expression look vulnerable.
            attackTimeout: null,
            incubationTimeout: null,
            // Larger automata take seconds each; an attack on these is searched for instead.
            maxNFASize: 3_000,
            // That search keeps its default seeder and acceleration: `seeder: 'dynamic'` takes half of the
            // time, but calls some polynomial expressions safe; without acceleration, vulnerable ones
            // exceed the time limit, which is no error here.
          },
        ],
      },
    },
  ],
};
