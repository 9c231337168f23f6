import { v7 } from 'uuid';

/** An id of a feedback record: nobody guesses it, and it sorts by creation. */
export function createId(): string {
  return `fb_${v7()}`;
}
