import { actorName } from '@slipway/app-react';
import type { Translate } from '../translation';

const TOKEN = 'token:';

/** Returns the name of an author: `ada` for `user:demo/ada`, and a translated text for `token:ci`. */
export function personName(author: string, t: Translate): string {
  if (author.startsWith(TOKEN)) {
    return t('history.token', { name: author.slice(TOKEN.length) });
  }
  return actorName(author);
}
