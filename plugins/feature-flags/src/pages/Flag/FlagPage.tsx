import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Switch } from '@backstage/ui';
import { Loaded, SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  Details,
  EmptyState,
  LoadingBlock,
  Page,
  PageHeader,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { Flag } from '../../api/FlagsApi';
import { FlagState, FlagTypeName } from '../../components/FlagState';
import {
  useArchiveFlag,
  useFlag,
  useMayChange,
  useMetrics,
  useToggleFlag,
  useUpdateFlag,
  useUser,
} from '../../queries';
import { useLinks } from '../../routes';
import { flagsTranslationRef } from '../../translation';
import { EnvironmentsPanel } from './EnvironmentsPanel';
import { HistoryPanel } from './HistoryPanel';
import { StrategiesPanel } from './StrategiesPanel';
import { UsagePanel } from './UsagePanel';
import styles from './Flag.module.css';

/** One flag: whether it is on, for whom, who uses it and who changed it. */
export function FlagPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { name = '' } = useParams();
  const query = useFlag(name);
  const { data: flag } = query;
  const mayChange = useMayChange();
  return (
    <Page
      header={
        <PageHeader
          title={name}
          description={flag?.description || t('flag.noDescription')}
          breadcrumbs={[{ label: t('page.title'), href: links.list }]}
          status={flag && <FlagState flag={flag} />}
          action={flag && mayChange && <FlagActions flag={flag} />}
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
        {found => <FlagPanels flag={found} />}
      </Loaded>
    </Page>
  );
}

function FlagPanels({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  return (
    <>
      {user && !user.mayChange && (
        <p className={styles.quiet}>
          {t('flag.readOnly', { groups: user.admins.join(', ') })}
        </p>
      )}
      <div className={styles.panels}>
        <StrategiesPanel flag={flag} />
        <SummaryPanel flag={flag} />
        <EnvironmentsPanel flag={flag} />
        <UsagePanel name={flag.name} />
        <HistoryPanel name={flag.name} />
      </div>
    </>
  );
}

/** What a flag is, who asks for it, and whether anybody should need it any more. */
function SummaryPanel({ flag }: { flag: Flag }) {
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

/** Turns a flag on and off, takes it away and brings it back. */
function FlagActions({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const toggle = useToggleFlag(flag.name);
  const archive = useArchiveFlag(flag.name);
  const error = toggle.error ?? archive.error;
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
        <>
          <Switch
            label={t(flag.enabled ? 'flag.isOn' : 'flag.isOff')}
            // As it will be, until the answer says otherwise.
            isSelected={toggle.isPending ? toggle.variables : flag.enabled}
            isDisabled={toggle.isPending}
            onChange={enabled => toggle.mutate(enabled)}
          />
          <Button variant="secondary" onPress={() => setIsAsking(true)}>
            {t('flag.archive')}
          </Button>
        </>
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
        {t('flag.archiveText')}
      </ConfirmDialog>
    </div>
  );
}
