import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  LoadingBlock,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { Flag } from '../../api/types';
import { FlagState } from '../../components/FlagState';
import { useFlag, useMayChange, useUser } from '../../data/useFlags';
import { useLinks } from '../../data/useLinks';
import { flagsTranslationRef } from '../../translation';
import { FlagActions } from './FlagActions';
import { HistoryPanel } from './HistoryPanel';
import { StrategiesPanel } from './StrategiesPanel';
import { SummaryPanel } from './SummaryPanel';
import { UsagePanel } from './UsagePanel';
import styles from './Flag.module.css';

/** One flag: whether it is on, for whom, who uses it and who changed it. */
export function FlagPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { name = '' } = useParams();
  const { data: flag, error, isPending, refetch } = useFlag(name);
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
      {isPending && <LoadingBlock label={t('flag.loading')} height={240} />}
      {!flag && isMissing(error) && (
        <EmptyState
          title={t('flag.missingTitle', { name })}
          description={t('flag.missingDescription')}
        />
      )}
      {!flag && error && !isMissing(error) && (
        <ReadFailure
          title={t('flag.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {flag && <FlagPanels flag={flag} />}
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
        <StrategiesPanel
          // What was saved, here or elsewhere, takes the place of a draft.
          key={JSON.stringify(flag.strategies)}
          flag={flag}
        />
        <SummaryPanel flag={flag} />
        <UsagePanel name={flag.name} />
        <HistoryPanel name={flag.name} />
      </div>
    </>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof ResponseError && error.response.status === 404;
}
