import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  Details,
  LoadingRows,
  Panel,
  RelativeTime,
  saveFile,
} from '@slipway/design-system';
import type { PersonalRecords } from '../api/SpaceApi';
import { formatMinutes } from '../format/fieldValue';
import { categoryName } from '../friction/FrictionLines';
import { useEraseMyRecords, useMyRecords } from '../queries';
import { spaceTranslationRef, type Translate } from '../translation';
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
      <Entries
        title={t('mine.surveys')}
        entries={records.surveys.map(
          ({ survey_id: id, timestamp, responses }) => ({
            id,
            timestamp,
            lines: surveyLines(t, responses),
          }),
        )}
      />
      <Entries
        title={t('mine.friction')}
        entries={records.friction_logs.map(
          ({ friction_id: id, timestamp, ...friction }) => ({
            id,
            timestamp,
            lines: [
              [
                categoryName(t, friction.category),
                t(`severity.${friction.severity}`),
                formatMinutes(friction.time_lost_minutes),
              ].join(' · '),
              friction.description,
            ],
          }),
        )}
      />
      <Entries
        title={t('mine.loads')}
        entries={records.cognitive_loads.map(
          ({ assessment_id: id, timestamp, task }) => ({
            id,
            timestamp,
            lines: [task],
          }),
        )}
      />
      <Details
        items={[{ label: t('mine.activity'), value: records.activity.length }]}
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

/** Shows the number of entries of one kind and, once it is opened, their texts, newest first. */
function Entries(props: {
  title: string;
  entries: readonly {
    id: string;
    timestamp: string;
    lines: readonly string[];
  }[];
}) {
  const { title, entries } = props;
  // Renders entries only while open: there may be hundreds, each with a time that updates.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={toggle => setIsOpen(toggle.currentTarget.open)}>
      <summary>
        {title} <span className={styles.quiet}>{entries.length}</span>
      </summary>
      <ul className={styles.entries}>
        {isOpen &&
          entries.toReversed().map(({ id, timestamp, lines }) => (
            <li key={id}>
              <span className={styles.quiet}>
                <RelativeTime value={timestamp} />
              </span>
              {lines.map((line, index) => (
                <p key={`${index} ${line}`}>{line}</p>
              ))}
            </li>
          ))}
      </ul>
    </details>
  );
}

function surveyLines(
  t: Translate,
  responses: PersonalRecords['surveys'][number]['responses'],
): string[] {
  const { recommend, blockers, wins } = responses;
  return [
    t('mine.survey', {
      satisfaction: String(responses.overall_satisfaction),
      productivity: String(responses.productivity_this_week),
    }),
    ...(recommend === undefined
      ? []
      : [t('mine.recommended', { recommend: String(recommend) })]),
    ...(blockers ? [t('mine.blockers', { text: blockers })] : []),
    ...(wins ? [t('mine.wins', { text: wins })] : []),
  ];
}
