import { z } from 'zod';

/** Enough of a commit message to know it by; some hold whole change logs. */
const MESSAGE_LIMIT = 2_000;

/** Cuts a message where it stops being one. */
export function shortened(message: string): string {
  return message.length > MESSAGE_LIMIT
    ? `${message.slice(0, MESSAGE_LIMIT - 1)}…`
    : message;
}

/** A key that senders give as text or as a number. */
export const key = z
  .union([z.string().trim().min(1), z.number()])
  .transform(String);

/** A text that may be missing, null or empty: all three say nothing. */
export const optionalText = z
  .string()
  .nullish()
  .transform(text => text?.trim() || undefined);
