import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  EmptyState,
  LoadingBlock,
  Page,
  PageHeader,
  Panel,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { Flag, ReadFlag } from '../../api/flags';
import { ArchiveText } from '../../components/ArchiveText';
import { ChangeRequestList } from '../../components/ChangeRequestList';
import { FlagMarks } from '../../components/FlagState';
import { ScheduleList } from '../../components/ScheduleList';
import {
  useChangeRequests,
  useSchedules,
  useLiveChanges,
} from '../../queries/changes';
import {
  useArchiveFlag,
  useEnvironments,
  useFlagNamed,
} from '../../queries/flags';
import { mayChangeIn, useMayChange, useUser } from '../../queries/access';
import { useLinks } from '../../routes';
import { flagsTranslationRef } from '../../translation';
import { ApplicationsPanel } from './ApplicationsPanel';
import { EnvironmentPanel } from './EnvironmentPanel';
import { HistoryPanel } from './HistoryPanel';
import { ParentsPanel } from './ParentsPanel';
import { PlaygroundPanel } from './PlaygroundPanel';
import { ReferencesPanel } from './ReferencesPanel';
import { SummaryPanel } from './SummaryPanel';
import { UsagePanel } from './UsagePanel';
import styles from './Flag.module.css';

/** The page of a flag: its states, rules, usage and history. */
export function FlagPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { name = '' } = useParams();
  const query = useFlagNamed(name);
  const { data: flag } = query;
  const user = useUser();
  const mayChange = useMayChange(flag?.project);
  useLiveChanges();
  return (
    <Page
      header={
        <PageHeader
          title={name}
          description={flag && (flag.description || t('flag.noDescription'))}
          breadcrumbs={[{ label: t('page.title'), href: links.list }]}
          status={flag && <FlagMarks flag={flag} />}
          action={
            flag &&
            user.data &&
            (mayChange ? <FlagActions key={flag.name} flag={flag} /> : null)
          }
          // Which actions are shown depends on both.
          isLoading={query.isPending || user.isPending}
        />
      }
    >
      <Loaded
        query={query}
        failed={t('flag.failed')}
        loading={<LoadingBlock label={t('flag.loading')} height={240} />}
        missing={
          <EmptyState
            title={t('flag.missingTitle', { name })}
            description={t('flag.missingDescription')}
          />
        }
      >
        {/* Keyed, so that drafts and dialogs of a flag are closed when another one is opened. */}
        {found => <FlagPanels key={found.name} flag={found} />}
      </Loaded>
    </Page>
  );
}

function FlagPanels({ flag }: { flag: ReadFlag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  return (
    <>
      {user && !mayChangeIn(user, flag.project) && (
        <p className={styles.quiet}>
          {t('flag.readOnly', { groups: user.admins.join(', ') })}
        </p>
      )}
      <Loaded
        query={useEnvironments(flag)}
        failed={t('environments.failed')}
        loading={
          <LoadingBlock label={t('environments.loading')} height={160} />
        }
      >
        {environments => (
          <>
            <div className={styles.environments}>
              {environments.map(environment => (
                <EnvironmentPanel
                  key={environment.name}
                  flag={flag}
                  environment={environment}
                  others={environments.filter(
                    ({ name }) => name !== environment.name,
                  )}
                />
              ))}
            </div>
            <PendingChanges name={flag.name} />
            <div className={styles.panels}>
              <div className={styles.column}>
                <UsagePanel name={flag.name} environments={environments} />
                <ApplicationsPanel name={flag.name} />
                <ReferencesPanel name={flag.name} />
                <HistoryPanel flag={flag} />
              </div>
              <div className={styles.column}>
                <SummaryPanel flag={flag} />
                <ParentsPanel flag={flag} environments={environments} />
                {!flag.archived && (
                  <PlaygroundPanel flag={flag} environments={environments} />
                )}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** Open change requests and schedules of a flag, if any. */
function PendingChanges({ name: featureName }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const open = { featureName, state: 'open' } as const;
  const { data: requests = [] } = useChangeRequests(open);
  const { data: schedules = [] } = useSchedules(open);
  return (
    <>
      {requests.length > 0 && (
        <Panel title={t('request.title')}>
          <ChangeRequestList requests={requests} />
        </Panel>
      )}
      {schedules.length > 0 && (
        <Panel title={t('schedule.listTitle')}>
          <ScheduleList schedules={schedules} />
        </Panel>
      )}
    </>
  );
}

/** Buttons that archive and restore a flag. */
function FlagActions({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const archive = useArchiveFlag(flag.name);
  const { error } = archive;
  return (
    <div className={styles.actions}>
      {error && <SendFailure title={t('flag.changeFailed')} error={error} />}
      {flag.archived ? (
        <Button
          variant="secondary"
          isPending={archive.isPending}
          onPress={() => archive.mutate(false)}
        >
          {t('flag.revive')}
        </Button>
      ) : (
        <Button variant="secondary" onPress={() => setIsAsking(true)}>
          {t('flag.archive')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('flag.archiveTitle', { name: flag.name })}
        confirmLabel={t('flag.archiveConfirm')}
        describeError={errorWords}
        onConfirm={async () => {
          await archive.mutateAsync(true);
        }}
      >
        <ArchiveText name={flag.name} />
      </ConfirmDialog>
    </div>
  );
}
