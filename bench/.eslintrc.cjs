module.exports = require('../eslint-factory')(__dirname, {
  overrides: [
    {
      // Measures the plugin from inside: its services, not its routes.
      files: ['delivery-lake/**/*.ts'],
      rules: { '@backstage/no-forbidden-package-imports': 'off' },
    },
  ],
});
