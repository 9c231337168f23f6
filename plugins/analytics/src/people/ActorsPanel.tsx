import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SidePanel } from '@slipway/design-system';
import type { InsightQuery } from '../api/InsightQuery';
import type { ActorsSource } from '../api/PeopleApi';
import type { SelectedNumber } from '../insights/selection';
import {
  formatStart,
  nameOfValues,
  useValueWords,
} from '../insights/valueNames';
import { analyticsTranslationRef, type Translate } from '../translation';
import { ActorList } from './ActorList';
import { SaveCohort } from './SaveCohort';
import styles from '../analytics.module.css';

/** Ways of counting whose numbers are those of different users. */
const OF_USERS: ReadonlySet<string> = new Set([
  'dau',
  'monthly_active',
  'weekly_active',
]);

/** Lists the users behind a number of an insight, with links to their pages. */
export function ActorsPanel(props: {
  projectId: string;
  selected: SelectedNumber;
  onClose(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, selected, onClose } = props;
  const { of } = selected;
  const title = useTitle(selected);
  return (
    <SidePanel title={title} onClose={onClose}>
      <div className={styles.stack}>
        {!countsUsers(of) && (
          <p className={styles.text}>{t('actors.distinct')}</p>
        )}
        <ActorList
          // The list of another number starts with its first page.
          key={JSON.stringify(of)}
          projectId={projectId}
          of={of}
          title={title}
          actions={search => (
            <SaveCohort
              projectId={projectId}
              of={of}
              search={search}
              name={title}
            />
          )}
        />
      </div>
    </SidePanel>
  );
}

/**
 * Tells whether a number is that of different users, not of events nor an average; the result of a
 * formula is never selected.
 */
function countsUsers({ source, series = 0 }: ActorsSource): boolean {
  return (
    source.kind !== 'TrendsQuery' ||
    (OF_USERS.has(source.series?.[series]?.math ?? 'total') &&
      (source.trendsFilter?.smoothingIntervals ?? 1) === 1)
  );
}

/** Returns the name of a number: its event and interval, its step, or its row. */
function useTitle(selected: SelectedNumber): string {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const { of } = selected;
  const value = of.breakdown ?? of.funnelStepBreakdown;
  const valueName = value === undefined ? [] : [nameOfValues(value, words)];
  return [nameOfNumber(selected, t), ...valueName].join(', ');
}

function nameOfNumber({ of, date }: SelectedNumber, t: Translate): string {
  const { source: query } = of;
  switch (query.kind) {
    case 'FunnelsQuery': {
      const { funnelStep = 1 } = of;
      const step = Math.abs(funnelStep);
      const name = eventOf(query, step - 1, t);
      return t(funnelStep > 0 ? 'actors.reached' : 'actors.dropped', {
        step: String(step),
        name,
      });
    }
    case 'RetentionQuery': {
      const { returnInterval: later = 0 } = of;
      const { period = 'Day' } = query.retentionFilter ?? {};
      const start = date
        ? t('actors.started', { date: formatStart(date) })
        : t('actors.startedAny');
      return later === 0
        ? start
        : t('actors.returned', { start, period: `${period} ${later}` });
    }
    default: {
      const event = eventOf(query, of.series ?? 0, t);
      const start = date ?? (of.day === undefined ? undefined : `${of.day}`);
      const name = [event, ...(start ? [formatStart(start)] : [])].join(', ');
      return of.compare === 'previous' ? t('actors.previous', { name }) : name;
    }
  }
}

function eventOf({ series }: InsightQuery, index: number, t: Translate) {
  return series?.[index]?.event || t('live.anyEvent');
}
