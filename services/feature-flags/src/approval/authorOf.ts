import { actorOf, type Caller } from '@slipway/service-kit';
import { tokenOf } from '../tokens/access.ts';
import type { Author } from './transitions.ts';

/** Returns the author of a request; for a token, including the person who created it. */
export function authorOf(caller: Caller): Author {
  const by = actorOf(caller);
  return caller.kind === 'user'
    ? { by, principals: [by], isPerson: true }
    : { by, principals: [by, tokenOf(caller).createdBy], isPerson: false };
}
