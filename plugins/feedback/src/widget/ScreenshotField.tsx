import { useCallback, useId, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, VisuallyHidden } from '@backstage/ui';
import { readAsDataUrl } from '../api/answers';
import { feedbackTranslationRef } from '../translation';
import styles from './widget.module.css';

/** Lets the user choose an image, shows it, and removes it. */
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
            // Cleared so that selecting the same file again triggers a change.
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

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const MAXIMUM_BYTES = 5 * 1024 * 1024;

/** Reason why a selected file is rejected. */
type ScreenshotProblem =
  { kind: 'notAnImage' } | { kind: 'tooLarge'; megabytes: string };

/** State of the image in a form. The service validates its content again. */
export function useScreenshotChoice() {
  const [dataUrl, setDataUrl] = useState<string>();
  const [problem, setProblem] = useState<ScreenshotProblem>();
  const choose = useCallback(async (file: File) => {
    if (!TYPES.includes(file.type)) {
      setProblem({ kind: 'notAnImage' });
    } else if (file.size > MAXIMUM_BYTES) {
      const megabytes = (file.size / (1024 * 1024)).toFixed(1);
      setProblem({ kind: 'tooLarge', megabytes });
    } else {
      setDataUrl(await readAsDataUrl(file));
      setProblem(undefined);
    }
  }, []);
  const remove = useCallback(() => {
    setDataUrl(undefined);
    setProblem(undefined);
  }, []);
  return { dataUrl, problem, choose, remove };
}
