module.exports = require('../../eslint-factory')(__dirname, {
  rules: {
    // TypeBox type constructors are capitalised and called without `new`.
    'new-cap': ['error', { capIsNew: false }],
    // Storybook's manager bundle compiles JSX to `React.createElement`.
    'no-restricted-syntax': 'off',
  },
});
