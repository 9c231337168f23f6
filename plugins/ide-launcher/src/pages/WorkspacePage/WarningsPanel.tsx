import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel } from '@slipway/design-system';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './WorkspacePage.module.css';

/** What the devfile asks for and this runtime does not do. */
export function WarningsPanel({ warnings }: { warnings: readonly string[] }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  if (warnings.length === 0) {
    return null;
  }
  return (
    <Panel title={t('workspace.warnings')}>
      <ul className={styles.bullets}>
        {warnings.map(warning => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Panel>
  );
}
