import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { QueryTable } from '@slipway/app-react';
import {
  EmptyState,
  formatBrief,
  Panel,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import {
  useApplications,
  useOutdatedSdks,
  useUnknownFlags,
} from '../queries/usage';
import { flagsTranslationRef } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import styles from './AccessPage.module.css';

/** Applications that use flags, with their SDKs, and unknown flags. */
export function ApplicationsPage() {
  return (
    <div className={styles.stack}>
      <ApplicationTable />
      <UnknownFlags />
    </div>
  );
}

function ApplicationTable() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: outdated = [] } = useOutdatedSdks();
  const minimums = new Map(
    outdated.map(({ sdkVersion, minimum }) => [sdkVersion, minimum]),
  );
  return (
    <Panel title={t('application.title')} padded={false}>
      <QueryTable
        isPlain
        label={t('application.title')}
        query={useApplications()}
        rowsOf={applications => applications}
        failed={t('application.failed')}
        loading={t('application.loading')}
        empty={
          <>
            <EmptyState
              title={t('application.emptyTitle')}
              description={t('application.emptyDescription')}
            />
            <ConnectGuide />
          </>
        }
        rowId={({ appName }) => appName}
        columns={[
          {
            id: 'name',
            label: t('application.name'),
            text: ({ appName }) => appName,
            cell: ({ appName }) => (
              <span className={styles.name}>{appName}</span>
            ),
          },
          {
            id: 'sdks',
            label: t('application.sdks'),
            cell: ({ sdkVersions }) => (
              <span className={styles.sdks}>
                {sdkVersions.length === 0 && '–'}
                {sdkVersions.map(version => (
                  <SdkVersion
                    key={version}
                    version={version}
                    minimum={minimums.get(version)}
                  />
                ))}
              </span>
            ),
          },
          {
            id: 'instances',
            label: t('application.instances'),
            isNumber: true,
            from: 'sm',
            width: 112,
            cell: ({ instances }) => formatBrief(instances),
          },
          {
            id: 'seen',
            label: t('application.seen'),
            from: 'sm',
            width: 144,
            cell: ({ seenAt }) => <RelativeTime value={seenAt} />,
          },
        ]}
      />
    </Panel>
  );
}

/** A version such as `unleash-client-node 3.1.0`, and the minimum version. */
function SdkVersion(props: { version: string; minimum: string | undefined }) {
  const { version, minimum } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <span className={styles.sdk}>
      {version.replace(':', ' ')}
      {minimum && (
        <StatusBadge
          tone="warning"
          label={t('application.outdated', { minimum })}
        />
      )}
    </span>
  );
}

/** Flags that applications request but that do not exist, if any. */
function UnknownFlags() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const query = useUnknownFlags();
  if (query.data?.length === 0) {
    return null;
  }
  return (
    <Panel title={t('unknown.title')} padded={false}>
      <QueryTable
        isPlain
        label={t('unknown.title')}
        query={query}
        rowsOf={flags => flags}
        failed={t('unknown.failed')}
        loading={t('unknown.loading')}
        rowId={({ name }) => name}
        columns={[
          {
            id: 'name',
            label: t('unknown.name'),
            text: ({ name }) => name,
            cell: ({ name }) => <span className={styles.name}>{name}</span>,
          },
          {
            id: 'applications',
            label: t('unknown.applications'),
            cell: ({ reports }) => (
              <span className={styles.name}>
                {reports
                  .map(
                    ({ appName, environments }) =>
                      `${appName} (${environments
                        .map(({ environment }) => environment)
                        .join(', ')})`,
                  )
                  .join(', ')}
              </span>
            ),
          },
          {
            id: 'seen',
            label: t('application.seen'),
            from: 'sm',
            width: 144,
            cell: ({ lastSeenAt }) => <RelativeTime value={lastSeenAt} />,
          },
        ]}
      />
    </Panel>
  );
}
