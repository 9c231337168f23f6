import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Switch } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { NoticeChannel, NoticeEvent } from '../../api/notices';
import {
  useDeleteChannel,
  useSwitchChannel,
  useTestChannel,
} from '../../queries/notices';
import { flagsTranslationRef, type Translate } from '../../translation';
import styles from '../Flag/Flag.module.css';
import { DeliveryLog } from './DeliveryLog';

/** A channel with its filters, its actions and the latest notices to it. */
export function ChannelRow(props: { channel: NoticeChannel; onEdit(): void }) {
  const { channel, onEdit } = props;
  const { id, name, kind, host } = channel;
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const remove = useDeleteChannel();
  const test = useTestChannel();
  const [isAsking, setIsAsking] = useState(false);
  const [isLogOpen, setIsLogOpen] = useState(false);
  const action = (
    label: 'test' | 'edit' | 'remove',
    onPress: () => void,
    isPending = false,
  ) => (
    <Button
      size="small"
      variant="secondary"
      aria-label={t(`notices.${label}Named`, { name })}
      isPending={isPending}
      onPress={onPress}
    >
      {t(`notices.${label}`)}
    </Button>
  );
  return (
    <div className={styles.strategy}>
      <div className={styles.head}>
        <strong className={styles.change}>{name}</strong>
        <div className={styles.actions}>
          <Enabled channel={channel} />
          {action('test', () => test.mutate(id), test.isPending)}
          {action('edit', onEdit)}
          {action('remove', () => setIsAsking(true))}
        </div>
      </div>
      <p className={styles.quiet}>
        {t('notices.sentTo', { kind: t(`notices.kind.${kind}`), host })}
        {' · '}
        {filterWords(channel, t)}
      </p>
      <div role="status">
        {test.data?.delivered && (
          <p className={styles.quiet}>{t('notices.testDone')}</p>
        )}
      </div>
      {test.data && !test.data.delivered && (
        <SendFailure
          title={t('notices.testFailed')}
          error={new Error(test.data.error ?? '')}
        />
      )}
      {test.error && (
        <SendFailure title={t('notices.testFailed')} error={test.error} />
      )}
      <div>
        <Button
          size="small"
          variant="tertiary"
          aria-expanded={isLogOpen}
          aria-label={t('notices.logNamed', { name })}
          onPress={() => setIsLogOpen(!isLogOpen)}
        >
          {t('notices.log')}
        </Button>
      </div>
      {isLogOpen && <DeliveryLog channel={channel} />}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('notices.removeTitle', { name })}
        confirmLabel={t('notices.removeConfirm')}
        describeError={errorWords}
        onConfirm={async () => {
          await remove.mutateAsync(id);
        }}
      >
        {t('notices.removeText')}
      </ConfirmDialog>
    </div>
  );
}

function Enabled({ channel }: { channel: NoticeChannel }) {
  const { id, name, enabled } = channel;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending, variables } = useSwitchChannel(id);
  return (
    <>
      <Switch
        aria-label={t('notices.enabledNamed', { name })}
        isSelected={(isPending ? variables : undefined) ?? enabled}
        isReadOnly={isPending}
        onChange={isOn => mutate(isOn)}
      />
      {error && <SendFailure title={t('notices.saveFailed')} error={error} />}
    </>
  );
}

/** Describes which events of which projects and environments a channel gets. */
function filterWords(channel: NoticeChannel, t: Translate): string {
  const { events, projects, environments } = channel;
  return [
    events.includes('*')
      ? t('notices.allEvents')
      : events
          .map(event => t(`notices.event.${event as NoticeEvent}`))
          .join(', '),
    projects.includes('*')
      ? t('notices.allProjects')
      : t('notices.projectsOnly', { names: projects.join(', ') }),
    environments.includes('*')
      ? t('notices.allEnvironments')
      : t('notices.environmentsOnly', { names: environments.join(', ') }),
  ].join(' · ');
}
