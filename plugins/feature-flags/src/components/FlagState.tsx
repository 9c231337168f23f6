import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge } from '@slipway/design-system';
import type { Flag } from '../api/types';
import { flagsTranslationRef } from '../translation';

/** On, off or archived, and whether it is stale. */
export function FlagState({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  if (flag.archived) {
    return <StatusBadge tone="neutral" label={t('state.archived')} />;
  }
  return (
    <>
      <StatusBadge
        tone={flag.enabled ? 'success' : 'neutral'}
        label={t(flag.enabled ? 'state.on' : 'state.off')}
      />
      {flag.stale && <StatusBadge tone="warning" label={t('state.stale')} />}
    </>
  );
}
