import type {
  PlatformClient,
  PlatformRequest,
} from '../platform/PlatformClient';
import { tellStory } from '../story/Story';
import { DAY_MS } from '../story/time';
import { experiencePart } from './experiencePart';

it('has answers of about half of the people in each week, and of nobody in the future', async () => {
  const story = tellStory({ now: Date.UTC(2026, 10, 23, 9, 30) });
  const surveys: { user_id: string; timestamp: string }[] = [];
  await experiencePart({ url: 'http://space', apiKey: 'key' }).load({
    platform: {
      async direct(_: string, { body }: PlatformRequest) {
        surveys.push(...((body as { surveys?: typeof surveys }).surveys ?? []));
      },
    } as unknown as PlatformClient,
    story,
    appUrl: '',
    onProgress: () => {},
  });
  const { start, end } = story.time;
  for (let week = start; week + 7 * DAY_MS <= end; week += 7 * DAY_MS) {
    const people = surveys
      .filter(({ timestamp }) => {
        const at = Date.parse(timestamp);
        return at >= week && at < week + 7 * DAY_MS;
      })
      .map(each => each.user_id);
    expect(new Set(people).size).toBe(people.length);
    expect(people.length).toBeGreaterThan(12);
    expect(people.length).toBeLessThan(40);
  }
  expect(
    Math.max(...surveys.map(({ timestamp }) => Date.parse(timestamp))),
  ).toBeLessThan(end);
});
