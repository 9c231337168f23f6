import type { NotificationSettings } from '@backstage/plugin-notifications-common';

/** What notifications are about: a source as a whole, or one of its topics. */
export interface Subject {
  origin: string;
  /** Null for the source as a whole. */
  topic: string | null;
}

/** A user's decision on notifications about a subject through one channel. */
export interface Choice extends Subject {
  channel: string;
  isEnabled: boolean;
}

/** Lists the sources of all channels, each followed by its topics. */
export function subjectsOf({ channels }: NotificationSettings): Subject[] {
  const topics = new Map<string, Set<string>>();
  for (const origin of channels.flatMap(({ origins }) => origins)) {
    const known = topics.get(origin.id) ?? new Set();
    origin.topics?.forEach(({ id }) => known.add(id));
    topics.set(origin.id, known);
  }
  return [...topics].flatMap(([origin, ids]) => [
    { origin, topic: null },
    ...[...ids].map(topic => ({ origin, topic })),
  ]);
}

/** Returns the settings with one choice changed; a source decides for all of its topics. */
export function withChoice(
  settings: NotificationSettings,
  choice: Choice,
): NotificationSettings {
  const { origin, topic, channel, isEnabled } = choice;
  return {
    channels: settings.channels.map(each =>
      each.id === channel
        ? {
            ...each,
            origins: each.origins.map(source =>
              source.id === origin
                ? {
                    ...source,
                    ...(topic === null && { enabled: isEnabled }),
                    topics: source.topics?.map(one =>
                      topic === null || one.id === topic
                        ? { ...one, enabled: isEnabled }
                        : one,
                    ),
                  }
                : source,
            ),
          }
        : each,
    ),
  };
}
