module.exports = require('../eslint-factory')(__dirname, {
  overrides: [
    {
      // Measures the plugin's services directly, not its routes.
      files: ['delivery-lake/**/*.ts'],
      rules: { '@backstage/no-forbidden-package-imports': 'off' },
    },
  ],
});
