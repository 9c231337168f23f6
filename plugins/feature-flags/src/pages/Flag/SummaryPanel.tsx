import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Switch } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { Details, Panel, RelativeTime } from '@slipway/design-system';
import type { ReadFlag } from '../../api/flags';
import { ALL_ENVIRONMENTS } from '../../api/usage';
import { FlagTypeName } from '../../components/FlagState';
import { OwnerName } from '../../components/OwnerName';
import { useUpdateFlag } from '../../queries/flags';
import { useProjects } from '../../queries/registers';
import { useLifecycle } from '../../queries/lifecycle';
import { useMetrics } from '../../queries/usage';
import { useMayChange } from '../../queries/access';
import { flagsTranslationRef } from '../../translation';
import { expectedDays } from '../filterFlags';
import { FlagLinks } from './FlagLinks';
import { FlagTags } from './FlagTags';
import { MoveDialog, useMoveTargets } from './MoveDialog';
import { SettingsDialog } from './SettingsDialog';
import styles from './Flag.module.css';

/** A panel with the settings of a flag, its stage, applications, tags and links. */
export function SummaryPanel({ flag }: { flag: ReadFlag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const isEditable = useMayChange(flag.project) && !flag.archived;
  const { data: metrics } = useMetrics(flag.name, ALL_ENVIRONMENTS);
  const { mutate, error, isPending } = useUpdateFlag(flag.name);
  const [isEditing, setIsEditing] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const targets = useMoveTargets(flag);
  const apps = metrics?.seenApplications ?? [];
  const { data: projects = [] } = useProjects();
  const owner = projects.find(({ id }) => id === flag.project)?.owner;
  const days = expectedDays(flag.type);
  const current = useLifecycle(flag).data?.at(-1);
  return (
    <Panel
      title={t('summary.title')}
      action={
        isEditable && (
          <div className={styles.actions}>
            {targets.length > 0 && (
              <Button
                size="small"
                variant="tertiary"
                onPress={() => setIsMoving(true)}
              >
                {t('move.open')}
              </Button>
            )}
            <Button
              size="small"
              variant="secondary"
              onPress={() => setIsEditing(true)}
            >
              {t('settings.edit')}
            </Button>
          </div>
        )
      }
    >
      <div className={styles.stack}>
        {error && <SendFailure title={t('flag.changeFailed')} error={error} />}
        <Details
          items={[
            {
              label: t('summary.type'),
              value: <FlagTypeName type={flag.type} />,
            },
            {
              label: t('summary.lifetime'),
              value:
                days === undefined
                  ? t('summary.permanent')
                  : t('summary.days', { days: String(days) }),
            },
            ...(current
              ? [
                  {
                    label: t('summary.stage'),
                    value: (
                      <>
                        {t(`stage.${current.stage}`)},{' '}
                        <RelativeTime value={current.enteredStageAt} />
                      </>
                    ),
                  },
                ]
              : []),
            { label: t('summary.project'), value: flag.project },
            ...(owner
              ? [
                  {
                    label: t('summary.owner'),
                    value: <OwnerName owner={owner} />,
                  },
                ]
              : []),
            {
              label: t('summary.created'),
              value: <RelativeTime value={flag.createdAt} />,
            },
            {
              label: t('summary.impressions'),
              value: t(flag.impressionData ? 'state.on' : 'state.off'),
            },
            {
              label: t('summary.applications'),
              value: apps.length > 0 ? apps.join(', ') : t('summary.nobody'),
            },
          ]}
        />
        <FlagTags flag={flag} isEditable={isEditable} />
        <FlagLinks flag={flag} isEditable={isEditable} />
        {isEditable && (
          <Switch
            label={t('summary.stale')}
            isSelected={flag.stale}
            isReadOnly={isPending}
            onChange={stale => mutate({ stale })}
          />
        )}
      </div>
      {isEditing && (
        <SettingsDialog flag={flag} onClose={() => setIsEditing(false)} />
      )}
      {isMoving && (
        <MoveDialog
          flag={flag}
          targets={targets}
          onClose={() => setIsMoving(false)}
        />
      )}
    </Panel>
  );
}
