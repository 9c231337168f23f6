module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    // A TypeBox schema and the type made of it share their name; TypeScript
    // itself refuses what is really declared twice.
    '@typescript-eslint/no-redeclare': 'off',
  },
});
