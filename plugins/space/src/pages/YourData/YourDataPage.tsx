import { useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  Details,
  LoadingRows,
  Panel,
} from '@slipway/design-system';
import { useQuery } from '@tanstack/react-query';
import { spaceApiRef } from '../../api/SpaceApi';
import type { PersonalRecords } from '../../api/types';
import { useEraseMyRecords } from '../../data/useSubmissions';
import { spaceTranslationRef } from '../../translation';
import { downloadJson } from './downloadJson';
import styles from '../../pulse/pulse.module.css';

/** What is stored of the reader: to see, to take along, to erase. */
export function YourDataPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const api = useApi(spaceApiRef);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mine'],
    // A query has no undefined.
    queryFn: async ({ signal }) => (await api.getMyRecords({ signal })) ?? null,
  });
  return (
    <Panel title={t('mine.title')}>
      {isPending && <LoadingRows label={t('mine.loading')} rows={4} />}
      {error && !data && (
        <ReadFailure
          title={t('mine.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data !== undefined && (
        <div className={styles.stack}>
          <p className={styles.quiet}>{t('mine.description')}</p>
          {data ? <Records records={data} /> : <p>{t('mine.nothing')}</p>}
        </div>
      )}
    </Panel>
  );
}

function Records({ records }: { records: PersonalRecords }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync: erase } = useEraseMyRecords();
  return (
    <>
      <Details
        items={[
          { label: t('mine.surveys'), value: records.surveys.length },
          { label: t('mine.friction'), value: records.friction_logs.length },
          { label: t('mine.loads'), value: records.cognitive_loads.length },
          { label: t('mine.activity'), value: records.activity.length },
        ]}
      />
      <div className={styles.actions}>
        <Button
          size="small"
          variant="secondary"
          onPress={() => downloadJson('my-experience-data.json', records)}
        >
          {t('mine.download')}
        </Button>
        <Button
          size="small"
          variant="secondary"
          destructive
          onPress={() => setIsAsking(true)}
        >
          {t('mine.erase')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('mine.eraseTitle')}
        confirmLabel={t('mine.erase')}
        describeError={errorWords}
        onConfirm={() => erase()}
      >
        {t('mine.eraseText')}
      </ConfirmDialog>
    </>
  );
}
