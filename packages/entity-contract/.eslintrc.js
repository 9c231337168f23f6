module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    // TypeBox schemas are created by functions such as Type.Object.
    'new-cap': ['error', { capIsNewExceptionPattern: '^Type\\.' }],
  },
});
