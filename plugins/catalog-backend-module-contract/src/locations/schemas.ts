import { z } from 'zod';

const MAX_TARGET_CHARACTERS = 2_048;

/** Backstage keeps the target as text; what is no address cannot be read. */
function isWebAddress(target: string): boolean {
  return URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
}

/** A registration: `{type: url | file, target}`; other fields are ignored. */
export const locationSchema = z
  .object({
    type: z
      .string()
      .pipe(z.enum(['url', 'file'], { message: 'must be url or file' })),
    target: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(
        MAX_TARGET_CHARACTERS,
        `must have at most ${MAX_TARGET_CHARACTERS} characters`,
      )
      // Control characters are in no address, and not in every database either.
      .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  })
  .refine(({ type, target }) => type !== 'url' || isWebAddress(target), {
    path: ['target'],
    message: 'must be an http or https address',
  });

/** Where a descriptor is. */
export type LocationRequest = z.output<typeof locationSchema>;
