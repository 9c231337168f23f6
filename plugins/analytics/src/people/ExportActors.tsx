import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { formatNumber, saveFile, writeCsv } from '@slipway/design-system';
import { type Actor, peopleApiRef, type PeopleSource } from '../api/PeopleApi';
import { cellText, personName } from '../pages/displayText';
import { analyticsTranslationRef } from '../translation';
import { MOST_ACTORS, readActors } from './readActors';
import styles from '../analytics.module.css';

/** A button that exports the users behind a number, from all pages. */
export function ExportActors(props: {
  projectId: string;
  of: PeopleSource;
  search: string;
  total: number;
  /** The word for the things counted per user, if any. */
  counted: string | undefined;
  /** Other actions on these users. */
  children?: ReactNode;
}) {
  const { projectId, of, search, total, counted, children } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const api = useApi(peopleApiRef);
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>();
  // Stop when the panel is closed: nobody is waiting for the file any more.
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    const { signal } = (running.current = new AbortController());
    setIsRunning(true);
    setError(undefined);
    try {
      const actors = await readActors(api, projectId, { of, search, signal });
      signal.throwIfAborted();
      const isCounted = counted !== undefined;
      const head = [
        t('people.name'),
        t('actors.id'),
        t('actors.email'),
        ...(isCounted ? [counted] : []),
      ];
      saveFile('users.csv', {
        text: writeCsv([
          head,
          ...actors.map(actor => rowOf(actor, { isCounted })),
        ]),
        type: 'text/csv',
      });
    } catch (failure) {
      setError(signal.aborted ? undefined : failure);
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <div className={styles.stack}>
      <div className={styles.actions}>
        <Button
          size="small"
          variant="secondary"
          isPending={isRunning}
          onPress={() => void run()}
        >
          {t('actors.exportAll')}
        </Button>
        {children}
        {total > MOST_ACTORS && (
          <span className={styles.size}>
            {t('actors.exported', { most: formatNumber(MOST_ACTORS) })}
          </span>
        )}
      </div>
      {error !== undefined && (
        <SendFailure title={t('actors.exportFailed')} error={error} />
      )}
    </div>
  );
}

function rowOf(
  actor: Actor,
  { isCounted }: { isCounted: boolean },
): (string | number)[] {
  return [
    personName(actor),
    actor.distinct_ids.join(', '),
    cellText(actor.properties.email),
    ...(isCounted ? [actor.events ?? ''] : []),
  ];
}
