import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { formatDuration } from '@slipway/design-system';
import type { FunnelStep } from '../api/InsightQuery';
import { PeopleCount } from './PeopleCount';
import { Scrollable } from './Scrollable';
import type { PeopleLink } from './selection';
import { analyticsTranslationRef } from '../translation';
import {
  formatCount,
  formatShare,
  nameOfValues,
  useValueWords,
} from './valueNames';
import styles from '../analytics.module.css';

/** Shows how many people reach each step as bars in a table; one table per breakdown value. */
export function FunnelChart(props: {
  results: FunnelStep[] | FunnelStep[][];
  peopleLink?: PeopleLink;
}) {
  const { results, peopleLink } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const groups = (
    Array.isArray(results[0]) ? results : [results]
  ) as FunnelStep[][];
  return (
    <div className={styles.stack}>
      {groups.map(steps => {
        const [{ breakdown_value: value, breakdown: name = value }] = steps;
        const label =
          name === undefined ? t('insight.funnel') : nameOfValues(name, words);
        return (
          <FunnelTable
            key={JSON.stringify(value) ?? ''}
            label={label}
            hasTitle={groups.length > 1}
            steps={steps}
            peopleLink={peopleLink}
          />
        );
      })}
    </div>
  );
}

function FunnelTable(props: {
  label: string;
  hasTitle: boolean;
  steps: readonly FunnelStep[];
  peopleLink?: PeopleLink;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { label, hasTitle, steps, peopleLink } = props;
  const [first] = steps;
  return (
    <Scrollable label={label}>
      <table className={styles.figures}>
        <caption className={hasTitle ? undefined : styles.hidden}>
          {label}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('insight.step')}</th>
            <th scope="col" className={styles.barColumn}>
              {t('insight.converted')}
            </th>
            <th scope="col" className={styles.numeric}>
              {t('insight.people')}
            </th>
            <th scope="col" className={styles.numeric}>
              {t('actors.droppedOff')}
            </th>
            <th scope="col" className={styles.numeric}>
              {t('insight.ofPrevious')}
            </th>
            <th scope="col" className={styles.numeric}>
              {t('insight.medianTime')}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.order}>
              <th scope="row">
                {index + 1}. {step.name}
              </th>
              <td>
                <Bar part={step.count} whole={first.count} />
              </td>
              <td className={styles.numeric}>
                <PeopleCount
                  people={step.count}
                  href={peopleLink?.({
                    funnelStep: index + 1,
                    funnelStepBreakdown: step.breakdown_value,
                  })}
                  label={t('actors.reachedNamed', {
                    users: formatCount(step.count),
                    name: step.name,
                  })}
                >
                  {formatCount(step.count)}
                </PeopleCount>
              </td>
              <td className={styles.numeric}>
                {index > 0 && (
                  <PeopleCount
                    people={steps[index - 1].count - step.count}
                    href={peopleLink?.({
                      funnelStep: -index - 1,
                      funnelStepBreakdown: step.breakdown_value,
                    })}
                    label={t('actors.droppedNamed', {
                      users: formatCount(steps[index - 1].count - step.count),
                      name: step.name,
                    })}
                  >
                    {formatCount(steps[index - 1].count - step.count)}
                  </PeopleCount>
                )}
              </td>
              <td className={styles.numeric}>
                {index === 0
                  ? ''
                  : formatShare(step.count, steps[index - 1].count)}
              </td>
              <td className={styles.numeric}>
                {step.median_conversion_time === null
                  ? ''
                  : formatDuration(step.median_conversion_time * 1_000)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

/** Shows a share of a whole as a bar with its percentage. */
export function Bar({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return (
    <div className={styles.bar}>
      <span className={styles.barTrack} aria-hidden>
        <span className={styles.barFill} style={{ width: `${percent}%` }} />
      </span>
      <span className={styles.number}>{formatShare(part, whole)}</span>
    </div>
  );
}
