import { scopeAbout } from '@slipway/entity-contract';
import type { Feedback } from '../feedback/Feedback.ts';

const EXCERPT_LENGTH = 100;
const COMPONENT = /^component:[\w.-]{1,63}\/[\w.-]{1,63}$/;

/** Returns the scope of a notification about a record, which begins with its component. */
export function scopeOf({ component }: Feedback, key: string): string {
  return scopeAbout(componentIn(component), key);
}

/** Returns the beginning of a message on one line. */
export function excerptOf(message: string): string {
  const characters = [...message.trim().replace(/\s+/g, ' ')];
  return characters.length > EXCERPT_LENGTH
    ? `${characters.slice(0, EXCERPT_LENGTH - 1).join('')}…`
    : characters.join('');
}

/** Returns the component of a record if its sender gave it as an entity reference. */
function componentIn(component: string | null): string | undefined {
  const ref = component?.toLocaleLowerCase('en-US') ?? '';
  return COMPONENT.test(ref) ? ref : undefined;
}
