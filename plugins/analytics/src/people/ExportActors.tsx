import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { formatNumber, saveFile, writeCsv } from '@slipway/design-system';
import {
  type Actor,
  type PeopleApi,
  peopleApiRef,
  type PeopleSource,
} from '../api/PeopleApi';
import { cellText, personName } from '../pages/displayText';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Maximum number of users that the service returns per request. */
const AT_ONCE = 200;
/** Maximum number of users in a file. */
const MOST = 10_000;

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
      const actors = await readAll(api, projectId, { of, search, signal });
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
        {total > MOST && (
          <span className={styles.size}>
            {t('actors.exported', { most: formatNumber(MOST) })}
          </span>
        )}
      </div>
      {error !== undefined && (
        <SendFailure title={t('actors.exportFailed')} error={error} />
      )}
    </div>
  );
}

async function readAll(
  api: PeopleApi,
  projectId: string,
  asked: { of: PeopleSource; search: string; signal: AbortSignal },
): Promise<Actor[]> {
  const all = new Map<string, Actor>();
  for (let offset = 0, more = true; more && offset < MOST;) {
    const { actors, total } = await api.getActors(projectId, {
      ...asked,
      limit: AT_ONCE,
      offset,
    });
    // New events may move a user to a later page, so the same user may arrive twice.
    actors.forEach(actor => all.set(actor.id, actor));
    offset += actors.length;
    more = actors.length > 0 && offset < total;
  }
  return [...all.values()];
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
