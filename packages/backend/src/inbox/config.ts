import type { RootConfigService } from '@backstage/backend-plugin-api';
import { z } from 'zod';

const partSchema = z
  .strictObject({
    title: z.string().min(1),
    plugin: z.string().min(1).optional(),
    service: z.string().min(1).optional(),
  })
  .refine(
    ({ plugin, service }) => (plugin === undefined) !== (service === undefined),
    {
      error: 'needs either plugin or service',
    },
  );

/** A part that reports items: a plugin of the portal, or a service behind the proxy. */
export type InboxPart = z.output<typeof partSchema>;

/**
 * Reads `inbox.parts`.
 *
 * @throws Error naming each invalid key.
 */
export function readParts(config: RootConfigService): InboxPart[] {
  const { data, error } = z
    .array(partSchema)
    .safeParse(config.getOptional('inbox.parts') ?? []);
  if (error) {
    const faults = error.issues.map(
      ({ path, message }) =>
        `${['inbox.parts', ...path].join('.')}: ${message}`,
    );
    throw new Error(faults.join('; '));
  }
  return data;
}
