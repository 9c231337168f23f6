import { headOf, type Payload } from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';

const SHA = '8d7f1a0c'.repeat(5);
const OTHER = 'b'.repeat(40);

it.each([
  ['Fix a typo [skip ci]', true],
  ['[CI Skip] Fix a typo', true],
  ['Fix a typo\n\nNobody reads it.\n[skip-ci]', true],
  ['Fix a typo', false],
  ['skip ci', false],
  ['[skip  ci]', false],
  ['[skip ci for now]', false],
  ['', false],
])('reads whether %j is skipped', (message, isSkipped) => {
  expect(headOf(message)?.isSkipped).toBe(isSkipped);
});

it.each([undefined, null, 7, {}])(
  'knows nothing of the message %j',
  message => {
    expect(headOf(message)).toBeUndefined();
  },
);

it('shortens the first line of a message', () => {
  expect(headOf(`\n ${'a'.repeat(300)} \nb`)?.title).toBe('a'.repeat(200));
  expect(headOf('A\0b')?.title).toBe('A\ufffdb');
  // Not with half of a character.
  expect(headOf(`${'a'.repeat(199)}\u{1f600}`)?.title).toBe(
    `${'a'.repeat(199)}\ufffd`,
  );
});

/** Returns the messages that an event contains for the commits to build. */
function titlesIn(payload: Payload, event?: string) {
  const reading = readEvent(payload, { event, isForge: event !== undefined });
  return reading.kind === 'builds'
    ? reading.sources.map(({ head }) => head?.title)
    : [];
}

const push = { ref: 'refs/heads/main', after: SHA };
const commits = [
  { id: OTHER, message: 'Before' },
  { id: SHA, message: 'Head' },
];

it.each<[string, Payload, string | undefined, (string | undefined)[]]>([
  ['a push', { ...push, commits }, undefined, ['Head']],
  [
    'a push whose head is not among its commits',
    { ...push, commits: [commits[0]] },
    undefined,
    [undefined],
  ],
  [
    'a push that names no commit',
    { ref: push.ref, commits },
    undefined,
    ['Head'],
  ],
  ['a push without commits', push, undefined, [undefined]],
  [
    'a push with other values',
    { ...push, commits: [null, 7, { id: SHA }] },
    undefined,
    [undefined],
  ],
  [
    'a push to GitHub',
    { ...push, commits: [], head_commit: commits[1] },
    'push',
    ['Head'],
  ],
  [
    'a push to GitLab',
    { ...push, checkout_sha: SHA, commits },
    'Push Hook',
    ['Head'],
  ],
  [
    'a merge request',
    {
      object_attributes: {
        ...{ action: 'open', iid: 7 },
        last_commit: { id: SHA, message: 'Head' },
      },
    },
    'Merge Request Hook',
    ['Head'],
  ],
  [
    'a pull request of GitHub',
    { action: 'opened', number: 7, pull_request: { head: { sha: SHA } } },
    'pull_request',
    [undefined],
  ],
  [
    'a push to Bitbucket Cloud',
    {
      push: {
        changes: [
          {
            new: {
              ...{ type: 'branch', name: 'main' },
              target: { hash: SHA, message: 'Head' },
            },
          },
        ],
      },
    },
    'repo:push',
    ['Head'],
  ],
  [
    'a push to Bitbucket Server of several refs',
    {
      changes: [
        { refId: 'refs/heads/main', toHash: SHA },
        { refId: 'refs/heads/other', toHash: OTHER },
      ],
      toCommit: { id: SHA, message: 'Head' },
    },
    'repo:refs_changed',
    ['Head', undefined],
  ],
])('reads the message of %s', (_what, payload, event, titles) => {
  expect(titlesIn(payload, event)).toEqual(titles);
});
