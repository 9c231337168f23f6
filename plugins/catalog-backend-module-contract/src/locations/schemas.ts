import { z } from 'zod';

const MAX_TARGET_CHARACTERS = 2_048;

/** What stands before the `@` would be stored, shown and sent. */
function hasNoCredentials(target: string): boolean {
  const url = URL.parse(target);
  return !url?.username && !url?.password;
}

/** Backstage would look through the whole repository for what fits. */
function isOneFile(target: string): boolean {
  return !/[*?]/.test(decodedPath(target));
}

function decodedPath(target: string): string {
  const pathname = URL.parse(target)?.pathname ?? '';
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

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
  })
  .refine(({ type, target }) => type !== 'url' || hasNoCredentials(target), {
    path: ['target'],
    message: 'must not contain a user name or password',
  })
  .refine(({ type, target }) => type !== 'url' || isOneFile(target), {
    path: ['target'],
    message: 'must name one file, not a pattern',
  });

/** The place of a descriptor. */
export type LocationRequest = z.output<typeof locationSchema>;
