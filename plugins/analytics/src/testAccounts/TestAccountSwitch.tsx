import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import { useUrlFilters } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** The choice of a page to leave out test accounts. */
export interface TestAccountChoice {
  /** False if the project does not say what test accounts are. */
  readonly isOffered: boolean;
  readonly isFiltered: boolean;
  set(isFiltered: boolean): void;
}

/** Reads the choice from the URL; the default is that of the project. */
export function useTestAccounts(
  project: Pick<Project, 'testAccounts'> | undefined,
): TestAccountChoice {
  const { values, set } = useUrlFilters({ tests: '' });
  const { filters = [], isDefault = false } = project?.testAccounts ?? {};
  const isOffered = filters.length > 0;
  const isWanted = values.tests === '' ? isDefault : values.tests === 'out';
  return {
    isOffered,
    isFiltered: isOffered && isWanted,
    set: isFiltered => set('tests', isFiltered ? 'out' : 'in'),
  };
}

/** Leaves out test accounts; not shown if the project does not say what they are. */
export function TestAccountSwitch({ choice }: { choice: TestAccountChoice }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { isOffered, isFiltered, set } = choice;
  return (
    isOffered && (
      <Switch
        className={styles.switch}
        label={t('testAccounts.switch')}
        isSelected={isFiltered}
        onChange={set}
      />
    )
  );
}
