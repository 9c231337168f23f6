import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { FrictionCategory } from '../api/types';
import { formatMinutes } from '../format/minutesLost';
import { spaceTranslationRef } from '../translation';
import { categoryName } from './categories';
import styles from './friction.module.css';

/** The costliest friction in a few lines, for a card or dialog. */
export function FrictionLines(props: {
  items: readonly FrictionCategory[];
  /** Gives the address of a category; without it categories are no links. */
  hrefOf?: (category: string) => string;
}) {
  const { items, hrefOf } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <ol className={styles.lines}>
      {items.map(({ category, minutesLost, reporters }) => (
        <li key={category}>
          {hrefOf ? (
            <Link href={hrefOf(category)}>{categoryName(t, category)}</Link>
          ) : (
            <strong>{categoryName(t, category)}</strong>
          )}
          <span>
            {t('logFriction.othersLine', {
              duration: formatMinutes(minutesLost),
              count: reporters,
            })}
          </span>
        </li>
      ))}
    </ol>
  );
}
