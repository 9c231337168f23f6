import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RelativeTime, StatusBadge } from '@slipway/design-system';
import type { Token } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { expiryOf } from './tokenStates';

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
