module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    // TypeBox names its types like this.
    'new-cap': ['error', { capIsNew: false }],
    // Storybook bundles its frame with JSX as calls of `React`.
    'no-restricted-syntax': 'off',
  },
});
