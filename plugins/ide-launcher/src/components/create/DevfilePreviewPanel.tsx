import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { LoadingBlock } from '@slipway/design-system';
import type { DevfilePreview } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';
import { DevfileSummary } from './DevfileSummary';
import styles from './DevfilePreviewPanel.module.css';

/** What reading the devfile gave: its faults, or what it holds and what of it will not run. */
export function DevfilePreviewPanel(props: {
  isChecking: boolean;
  preview: DevfilePreview | undefined;
  error: Error | null;
}) {
  const { isChecking, preview, error } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  return (
    <div role="status" aria-live="polite" className={styles.panel}>
      {isChecking && !preview && (
        <LoadingBlock label={t('preview.checking')} height={56} />
      )}
      {!isChecking && error && (
        <Alert
          status="danger"
          icon
          title={t('preview.failed')}
          description={errorWords(error)}
        />
      )}
      {preview && !preview.valid && (
        <Alert
          status="danger"
          icon
          title={
            preview.issues.some(issue => issue.path)
              ? t('preview.invalid', { count: preview.issues.length })
              : t('preview.failed')
          }
          description={<Issues preview={preview} />}
        />
      )}
      {preview?.valid && preview.devfile && (
        <DevfileSummary devfile={preview.devfile} />
      )}
      {preview && preview.warnings.length > 0 && (
        <Alert
          status="warning"
          icon
          title={t('preview.warnings')}
          description={
            <ul className={styles.list}>
              {preview.warnings.map(warning => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          }
        />
      )}
    </div>
  );
}

function Issues({ preview }: { preview: DevfilePreview }) {
  return (
    <ul className={styles.list}>
      {preview.issues.map(({ path, message }) => (
        <li key={`${path}:${message}`}>
          {path && (
            <>
              <code>{path}</code>:{' '}
            </>
          )}
          {message}
        </li>
      ))}
    </ul>
  );
}
