import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import { useUrlFilters } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** The choice whether a page excludes test accounts. */
export interface TestAccountChoice {
  /** False if the project does not define its test accounts. */
  readonly isOffered: boolean;
  readonly isFiltered: boolean;
  set(isFiltered: boolean): void;
}

/** Reads the choice from the URL; the project determines the default. */
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

/** A switch that excludes test accounts; hidden if the project does not define them. */
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
