import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  Details,
  LoadingRows,
  Panel,
  saveFile,
} from '@slipway/design-system';
import type { PersonalRecords } from '../api/SpaceApi';
import { useEraseMyRecords, useMyRecords } from '../queries';
import { spaceTranslationRef } from '../translation';
import styles from '../pulse/pulse.module.css';

/** Shows the data stored about the user, with actions to download and delete it. */
export function YourDataPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <Panel title={t('mine.title')}>
      <Loaded
        query={useMyRecords()}
        failed={t('mine.failed')}
        loading={<LoadingRows label={t('mine.loading')} rows={4} />}
      >
        {records => (
          <div className={styles.stack}>
            <p className={styles.quiet}>{t('mine.description')}</p>
            {records ? (
              <Records records={records} />
            ) : (
              <p>{t('mine.nothing')}</p>
            )}
          </div>
        )}
      </Loaded>
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
          onPress={() =>
            saveFile('my-experience-data.json', {
              text: JSON.stringify(records, null, 2),
              type: 'application/json',
            })
          }
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
