import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { useIsolation } from '../data/useBuilds';
import { buildsTranslationRef } from '../translation';

/** Warns where builds are not isolated: what that means, why it is so, what to do. */
export function IsolationWarning() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data } = useIsolation();
  return data?.kind === 'none' ? (
    <Alert
      status="warning"
      icon
      title={t('isolation.title')}
      description={`${data.gaps.join(' ')} ${t('isolation.advice')}`}
    />
  ) : null;
}
