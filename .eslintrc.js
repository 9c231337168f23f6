module.exports = {
  root: true,
  // The shared rules look for Jest's version; the tests run in Vitest, whose API is Jest's.
  settings: { jest: { version: 29 } },
};
