import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import { analyticsTranslationRef } from '../translation';
import type { TestAccountChoice } from './useTestAccounts';
import styles from '../analytics.module.css';

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
