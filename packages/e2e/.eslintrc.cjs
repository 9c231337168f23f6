module.exports = require('../../eslint-factory')(__dirname, {
  // An app of its own, with dependencies of its own.
  ignorePatterns: ['fixtures/empty-app/**'],
});
