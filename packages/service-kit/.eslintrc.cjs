module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    // A TypeBox schema and its static type share a name; TypeScript itself rejects real
    // redeclarations.
    '@typescript-eslint/no-redeclare': 'off',
  },
});
