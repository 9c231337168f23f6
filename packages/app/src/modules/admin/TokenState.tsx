import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RelativeTime, StatusBadge } from '@slipway/design-system';
import type { Token } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';

const DAY_MS = 86_400_000;
/** Days before its expiry from which a token expires soon. */
const SOON_DAYS = 14;
/** Days without use after which a token counts as unused. */
const UNUSED_DAYS = 90;

/** States by which tokens are filtered; a token can be in several. */
export const TOKEN_STATES = ['soon', 'expired', 'unused', 'endless'] as const;
/** One of {@link TOKEN_STATES}. */
export type TokenState = (typeof TOKEN_STATES)[number];

/** Returns whether a token is expired or expires soon; undefined if neither. */
export function expiryOf(
  { expiresAt }: Pick<Token, 'expiresAt'>,
  now: number,
): 'expired' | 'soon' | undefined {
  const left = expiresAt === null ? Infinity : Date.parse(expiresAt) - now;
  if (left <= 0) {
    return 'expired';
  }
  return left <= SOON_DAYS * DAY_MS ? 'soon' : undefined;
}

/**
 * Checks whether a token is in a state. A token whose use is not recorded is never unused, and a new
 * one only after it had time to be used.
 */
export function isInState(
  token: Pick<Token, 'createdAt' | 'lastUsedAt' | 'expiresAt'>,
  state: TokenState,
  now: number,
): boolean {
  const { createdAt, lastUsedAt, expiresAt } = token;
  switch (state) {
    case 'endless':
      return expiresAt === null;
    case 'unused': {
      const since = lastUsedAt ?? createdAt;
      return (
        lastUsedAt !== undefined &&
        (since === null || now - Date.parse(since) > UNUSED_DAYS * DAY_MS)
      );
    }
    default:
      return expiryOf(token, now) === state;
  }
}

/** Shows when a token expires, and marks one that is or will soon be expired. */
export function TokenExpiry({ token }: { token: Token }) {
  const { t } = useTranslationRef(appTranslationRef);
  const { expiresAt } = token;
  if (expiresAt === null) {
    return <>{t('admin.tokens.never')}</>;
  }
  switch (expiryOf(token, Date.now())) {
    case 'expired':
      return <StatusBadge tone="danger" label={t('admin.tokens.expired')} />;
    case 'soon':
      return (
        <span className="slw-AdminSoon">
          <StatusBadge tone="warning" label={t('admin.tokens.soon')} />{' '}
          <RelativeTime value={expiresAt} />
        </span>
      );
    default:
      return <RelativeTime value={expiresAt} />;
  }
}
