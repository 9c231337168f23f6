import { useId, useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, VisuallyHidden } from '@backstage/ui';
import { feedbackTranslationRef } from '../translation';
import type { useScreenshotChoice } from './useScreenshotChoice';
import styles from './widget.module.css';

/** Chooses an image, shows it and takes it away again. */
export function ScreenshotField(props: {
  choice: ReturnType<typeof useScreenshotChoice>;
}) {
  const { dataUrl, problem, choose, remove } = props.choice;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const input = useRef<HTMLInputElement>(null);
  const labelId = useId();
  return (
    <div className={styles.screenshot} role="group" aria-labelledby={labelId}>
      <span id={labelId}>{t('widget.screenshot')}</span>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-label={t('widget.choose')}
          tabIndex={-1}
          onChange={event => {
            const [file] = event.target.files ?? [];
            // The same file again is a change too.
            event.target.value = '';
            if (file) {
              void choose(file);
            }
          }}
        />
      </VisuallyHidden>
      {dataUrl && <img src={dataUrl} alt={t('widget.preview')} />}
      {dataUrl ? (
        <Button size="small" variant="secondary" onPress={remove}>
          {t('widget.remove')}
        </Button>
      ) : (
        <Button
          size="small"
          variant="secondary"
          onPress={() => input.current?.click()}
        >
          {t('widget.choose')}
        </Button>
      )}
      {problem ? (
        <p role="alert" className={styles.problem}>
          {problem.kind === 'tooLarge'
            ? t('widget.tooLarge', { size: problem.megabytes })
            : t('widget.notAnImage')}
        </p>
      ) : (
        <p>{t('widget.screenshotHelp')}</p>
      )}
    </div>
  );
}
