import { isBot } from './ForgeActivity.ts';

it.each([
  [{ login: 'dependabot[bot]' }, true],
  [{ login: 'renovate-bot' }, true],
  [{ login: 'github-actions' }, true],
  [{ login: 'project_12_bot_a1b2' }, true],
  [{ login: 'ci-user' }, true],
  [{ email: '41898282+github-actions[bot]@users.noreply.github.com' }, true],
  [{ email: 'noreply@example.org' }, true],
  [{ login: 'abbot' }, false],
  [{ login: 'robotnik' }, false],
  [{ login: 'ada', email: '1+ada@users.noreply.github.com' }, false],
  [{}, false],
])('%j: %s', (author, expected) => {
  expect(isBot(author, { bots: ['CI-User'] })).toBe(expected);
});
