module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    // The schemas of TypeBox are made by functions such as Type.Object.
    'new-cap': ['error', { capIsNewExceptionPattern: '^Type\\.' }],
  },
});
