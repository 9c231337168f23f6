import { PullForge } from '../__testUtils__/PullForge.ts';
import { listRequests } from './listRequests.ts';

const FULL = 'a1'.repeat(20);

let forge: PullForge;

afterEach(() => forge.stop());

describe.each([
  ['github', 'shop', 'refs/pull/1/head', FULL],
  ['gitea', 'shop', 'refs/pull/1/head', FULL],
  ['forgejo', 'shop', 'refs/pull/1/head', FULL],
  ['gitlab', 'shop', 'refs/merge-requests/1/head', FULL],
  ['bitbucket-server', 'acme/shop', 'refs/pull-requests/1/from', FULL],
  ['bitbucket-cloud', 'acme/shop', 'refs/heads/fix/1', 'a1a1a1a1a1a1'],
] as const)('%s', (kind, repository, ref, after) => {
  const url = 'https://forge.example.org';
  const list = () =>
    listRequests(
      { kind, url, apiUrl: forge.url, token: 'forge-token' },
      { repository, signal: AbortSignal.timeout(30_000) },
    );

  beforeEach(async () => {
    forge = await PullForge.start(kind);
  });

  it('lists its requests from all pages', async () => {
    forge.requests = [1, 2, 3].map(number => ({
      ...{ number, sha: FULL, branch: `fix/${number}` },
      isFork: number === 3,
    }));
    const { requests, isComplete } = await list();
    expect(isComplete).toBe(true);
    expect(
      requests.map(({ source: { pullRequest } }) => [
        pullRequest?.number,
        pullRequest?.isFork,
      ]),
    ).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(requests[0]).toMatchObject({
      author: 'ada',
      isStrict: true,
      source: {
        ...{ ref, after },
        pullRequest: { base: 'main', branch: 'fix/1', title: 'Add fix/1' },
      },
    });
    expect(forge.refused).toEqual([]);
  });

  it('stops at its tenth page, and says so', async () => {
    forge.requests = Array.from({ length: 11 }, (_, index) => ({
      ...{ number: index + 1, sha: FULL, branch: 'fix' },
    }));
    const { requests, isComplete } = await list();
    expect(requests).toHaveLength(10);
    expect(isComplete).toBe(false);
    expect(forge.calls).toBe(10);
  });

  it('fails without a list', async () => {
    forge.page = { message: 'Maintenance' };
    await expect(list()).rejects.toThrow(
      /did not respond with a list|does not tell where its next page starts/,
    );
  });
});
