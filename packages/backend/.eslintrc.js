module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    'jest/expect-expect': ['warn', { assertFunctionNames: ['expect*'] }],
  },
});
