module.exports = require('../../eslint-factory')(__dirname, {
  // A separate app with its own dependencies.
  ignorePatterns: ['fixtures/empty-app/**'],
});
