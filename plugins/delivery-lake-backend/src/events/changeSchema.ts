import { z } from 'zod';
import { name, sha, text, time, webAddress } from './fields';
import { ChangeEvent } from './LakeEvent';
import { TEXT_LIMITS } from './limits';

/** An item of `POST /changes`. Unknown fields are ignored. */
export const changeSchema = z.object({
  source: name(TEXT_LIMITS.source).optional(),
  repository: name(TEXT_LIMITS.repository),
  sha,
  message: text(TEXT_LIMITS.message).optional(),
  author: text(TEXT_LIMITS.author).optional(),
  committedAt: time.optional(),
  landedAt: time.optional(),
  sequence: z.number().int().min(0).optional(),
  url: webAddress(TEXT_LIMITS.url).optional(),
  occurredAt: time.optional(),
  deleted: z.boolean().optional(),
});

/** Makes an event of a parsed item. */
export function toChangeEvent(
  item: z.output<typeof changeSchema>,
  defaults: { source: string; now: number },
): ChangeEvent {
  const { source, occurredAt, ...fields } = item;
  return {
    ...fields,
    kind: 'change',
    source: source ?? defaults.source,
    externalId: fields.sha,
    occurredAt:
      occurredAt ?? fields.landedAt ?? fields.committedAt ?? defaults.now,
  };
}
