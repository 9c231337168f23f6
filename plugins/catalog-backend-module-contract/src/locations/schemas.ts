import { z } from 'zod';

const MAX_TARGET_CHARACTERS = 2_048;

/** Returns whether a URL contains no credentials, which would be stored, displayed and sent on. */
function hasNoCredentials(target: string): boolean {
  const url = URL.parse(target);
  return !url?.username && !url?.password;
}

/** Returns whether a URL names one file. For a pattern, Backstage would search the whole repository. */
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

/** Returns whether a target is an http(s) URL. Backstage stores any text, but cannot read anything else. */
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
      // URLs contain no control characters, and not every database can store them.
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

/** The location of a descriptor. */
export type LocationRequest = z.output<typeof locationSchema>;
