import { v7 } from 'uuid';

/** An id that nobody guesses and that sorts by creation. */
export function createId(prefix: 'survey' | 'friction' | 'tlx'): string {
  return `${prefix}_${v7()}`;
}
