import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { Details, Panel, RelativeTime } from '@slipway/design-system';
import type { Flag } from '../../api/types';
import { FlagTypeName } from '../../components/FlagTypeName';
import { useUpdateFlag } from '../../data/useChanges';
import { useMayChange, useMetrics } from '../../data/useFlags';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** What a flag is, who asks for it, and whether anybody should need it any more. */
export function SummaryPanel({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange() && !flag.archived;
  const { data: metrics } = useMetrics(flag.name);
  const { mutate, error, isPending } = useUpdateFlag(flag.name);
  const apps = metrics?.seenApplications ?? [];
  return (
    <Panel title={t('summary.title')}>
      <div className={styles.stack}>
        {error && <SendFailure title={t('flag.changeFailed')} error={error} />}
        <Details
          items={[
            {
              label: t('summary.type'),
              value: <FlagTypeName type={flag.type} />,
            },
            { label: t('summary.project'), value: flag.project },
            {
              label: t('summary.created'),
              value: <RelativeTime value={flag.createdAt} />,
            },
            {
              label: t('summary.applications'),
              value: apps.length > 0 ? apps.join(', ') : t('summary.nobody'),
            },
          ]}
        />
        {isEditable && (
          <Switch
            label={t('summary.stale')}
            isSelected={flag.stale}
            isDisabled={isPending}
            onChange={stale => mutate({ stale })}
          />
        )}
      </div>
    </Panel>
  );
}
