import type {
  PlatformClient,
  PlatformRequest,
} from '../platform/PlatformClient';
import { tellStory } from '../story/Story';
import { feedbackPart } from './feedbackPart';

interface Sent {
  key: string;
  component: string;
  created_at: string;
  status?: string;
  status_at?: string;
  merged_into?: string;
  voting?: {
    opened_at: string;
    votes: { user: string; voted_at: string }[];
  };
}

const story = tellStory({ now: Date.UTC(2026, 10, 23, 9, 30) });

/** Runs the part, and returns the records that it sent. */
async function load(): Promise<Sent[]> {
  const sent: Sent[] = [];
  await feedbackPart.load({
    platform: {
      async service(_: string, { body }: PlatformRequest) {
        sent.push(...(body as { feedback: Sent[] }).feedback);
      },
    } as unknown as PlatformClient,
    story,
    appUrl: '',
    onProgress: () => {},
  });
  return sent;
}

it('has wishes with different numbers of votes, one of them in progress and one resolved', async () => {
  const wishes = (await load()).filter(({ voting }) => voting);
  const open = wishes.filter(
    ({ status, merged_into }) => status !== 'resolved' && !merged_into,
  );
  expect(open.map(({ status }) => status)).toContain('in_progress');
  const counts = open.map(({ voting }) => voting!.votes.length);
  expect(new Set(counts).size).toBe(3);
  expect(wishes.map(({ status }) => status)).toContain('resolved');
  const [duplicate] = wishes.filter(each => each.merged_into);
  expect(open.map(({ key }) => key)).toContain(duplicate.merged_into);
});

it('has votes of people in the organisation, at most one each, and none after a wish has ended', async () => {
  const people = new Set(story.organisation.people.map(({ ref }) => ref));
  for (const { voting, status, status_at, merged_into, created_at } of (
    await load()
  ).filter(each => each.voting)) {
    const { votes, opened_at } = voting!;
    const users = votes.map(({ user }) => user);
    expect(new Set(users).size).toBe(users.length);
    expect(users.filter(user => !people.has(user))).toEqual([]);
    const isEnded = status === 'resolved' || merged_into !== undefined;
    const end = isEnded ? Date.parse(status_at!) : story.time.end;
    const moments = votes.map(({ voted_at }) => Date.parse(voted_at));
    expect(Date.parse(opened_at)).toBeGreaterThan(Date.parse(created_at));
    expect(Math.min(...moments)).toBe(Date.parse(opened_at));
    expect(Math.max(...moments)).toBeLessThan(end);
  }
});

it('is about components of the demo, with which it is deleted, and has unique keys', async () => {
  const sent = await load();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
  const refs = new Set(story.organisation.services.map(({ ref }) => ref));
  expect(sent.filter(({ component }) => !refs.has(component))).toEqual([]);
});
