import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { FrictionCategory } from '../api/SpaceApi';
import { formatMinutes } from '../format/fieldValue';
import { spaceTranslationRef, type Translate } from '../translation';
import styles from './friction.module.css';

/** The categories of the form; other senders may use their own. */
export const CATEGORIES = [
  'build',
  'deployment',
  'testing',
  'tooling',
  'documentation',
  'environment',
  'process',
  'other',
] as const;

/** Returns the displayed name of a category. */
export function categoryName(t: Translate, category: string): string {
  const known = CATEGORIES.find(name => name === category);
  return known ? t(`category.${known}`) : category;
}

/** Shows the costliest friction in a few lines, for a card or dialog. */
export function FrictionLines(props: {
  items: readonly FrictionCategory[];
  /** Returns the URL of a category; if omitted, categories are not links. */
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
