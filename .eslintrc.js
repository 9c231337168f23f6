module.exports = {
  root: true,
  // The shared rules look for Jest's version; the tests run in Vitest, whose API is Jest's.
  settings: { jest: { version: 29 } },
  plugins: ['redos'],
  overrides: [
    {
      // A regular expression that takes superlinear time lets a single request block a process.
      files: ['**/src/**/*.{ts,tsx}', '**/.storybook/**/*.js'],
      excludedFiles: ['**/*.test.{ts,tsx}', '**/__*__/**', '**/testing/**'],
      rules: {
        'redos/no-vulnerable': [
          'error',
          {
            // Limits are counted in steps: on a busy machine, time limits would make any expression
            // look vulnerable.
            attackTimeout: null,
            incubationTimeout: null,
            // Expressions that cannot be analysed are reported as errors. Safe ones take at most about a
            // second of CPU time, so even a busy machine stays within this limit, in milliseconds.
            timeout: 300_000,
            ignoreErrors: false,
            // Analysing a larger automaton takes seconds; the rule searches for an attack instead.
            maxNFASize: 3_000,
            // The search finds vulnerable expressions in its first generations; further ones only make
            // it longer for safe expressions: the default of 10 takes more than twice the time.
            maxIteration: 3,
            // The search keeps its default seeder and acceleration: `seeder: 'dynamic'` takes half the
            // time, but reports some polynomial expressions as safe; without acceleration, searches in
            // vulnerable expressions take minutes.
          },
        ],
      },
    },
  ],
};
