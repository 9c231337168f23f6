import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { notificationsApiRef } from '@backstage/plugin-notifications';
import {
  isNotificationsEnabledFor,
  type NotificationSettings as Settings,
} from '@backstage/plugin-notifications-common';
import { Switch } from '@backstage/ui';
import {
  AppQueries,
  useErrorWords,
  useInOrder,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  EmptyState,
  ErrorPanel,
  Panel,
} from '@slipway/design-system';
import {
  channelNames,
  nameOf,
  originNames,
  topicNames,
} from './notificationNames';
import {
  type Choice,
  type Subject,
  subjectsOf,
  withChoice,
} from './notificationSettings';
import { notificationsPageTranslationRef } from './translation';
import styles from './NotificationsPage.module.css';

/** Lets users choose the channels for notifications about each topic. */
export function NotificationSettings() {
  return (
    <AppQueries>
      <SettingsPanel />
    </AppQueries>
  );
}

function SettingsPanel() {
  const { t } = useTranslationRef(notificationsPageTranslationRef);
  const errorWords = useErrorWords();
  const query = useServiceQuery(
    notificationsApiRef,
    ['notification-settings'],
    api => api.getNotificationSettings(),
  );
  const { chosen, failure, choose } = useChoices();
  const settings = query.data && chosen.reduce(withChoice, query.data);
  const labels = { origins: originNames(t), topics: topicNames(t) };
  const labelOf = ({ origin, topic }: Subject) =>
    topic === null
      ? nameOf(labels.origins, origin)
      : nameOf(labels.topics, topic);
  const columns: DataColumn<Subject>[] = [
    {
      id: 'subject',
      label: t('settings.subject'),
      text: labelOf,
      cell: subject => (
        <span className={subject.topic === null ? undefined : styles.topic}>
          {labelOf(subject)}
        </span>
      ),
    },
    ...(settings?.channels ?? []).map(({ id }): DataColumn<Subject> => ({
      id,
      label: nameOf(channelNames(t), id),
      width: 120,
      cell: subject => (
        <ChoiceSwitch
          subject={subject}
          settings={settings!}
          channel={id}
          label={t('settings.choice', {
            subject: labelOf(subject),
            channel: nameOf(channelNames(t), id),
          })}
          onChange={choose}
        />
      ),
    })),
  ];
  return (
    <Panel title={t('settings.title')}>
      <p className={styles.hint}>{t('settings.description')}</p>
      {failure !== undefined && (
        <ErrorPanel
          title={t('settings.saveFailed')}
          message={errorWords(failure)}
        />
      )}
      <DataTable
        isPlain
        label={t('settings.title')}
        rows={settings && subjectsOf(settings)}
        rowId={({ origin, topic }) => `${origin}/${topic ?? ''}`}
        columns={columns}
        loading={t('settings.loading')}
        failure={
          query.error && (
            <ErrorPanel
              title={t('settings.failed')}
              message={errorWords(query.error)}
              onRetry={() => void query.refetch()}
            />
          )
        }
        empty={
          <EmptyState
            title={t('noneTitle')}
            description={t('settings.noneText')}
          />
        }
      />
    </Panel>
  );
}

/**
 * Returns the choices that are not stored yet, so that they are shown immediately; the error if
 * the last ones could not be stored; and a function that stores one.
 */
function useChoices() {
  const [chosen, setChosen] = useState<readonly Choice[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const inOrder = useInOrder();
  const { mutateAsync } = useServiceChange(
    notificationsApiRef,
    (api, choice: Choice) =>
      // All settings are stored together, so each choice starts from the latest ones.
      inOrder(async () =>
        api.updateNotificationSettings(
          withChoice(await api.getNotificationSettings(), choice),
        ),
      ),
  );
  const choose = async (choice: Choice) => {
    setFailure(undefined);
    setChosen(before => [...before, choice]);
    try {
      await mutateAsync(choice);
    } catch (error) {
      setFailure(error);
    } finally {
      setChosen(before => before.filter(other => other !== choice));
    }
  };
  return { chosen, failure, choose };
}

function ChoiceSwitch(props: {
  subject: Subject;
  settings: Settings;
  channel: string;
  label: string;
  onChange(choice: Choice): void;
}) {
  const { subject, settings, channel, label, onChange } = props;
  const { origin, topic } = subject;
  const isOn = (of: string | null) =>
    isNotificationsEnabledFor(settings, channel, origin, of);
  return (
    <Switch
      aria-label={label}
      isSelected={isOn(null) && isOn(topic)}
      // A source that is off sends nothing, regardless of its topics.
      isDisabled={topic !== null && !isOn(null)}
      onChange={isEnabled => onChange({ ...subject, channel, isEnabled })}
    />
  );
}
