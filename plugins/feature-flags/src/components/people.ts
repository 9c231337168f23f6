import type { Translate } from '../translation';

const TOKEN = 'token:';

/** Names the owner of a project: `group:default/payments` is payments. */
export function ownerName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Names who did something: `user:default/ada` is ada to everybody here, `token:ci` a token. */
export function personName(author: string, t: Translate): string {
  if (author.startsWith(TOKEN)) {
    return t('history.token', { name: author.slice(TOKEN.length) });
  }
  return author.replace(/^user:default\//, '');
}
