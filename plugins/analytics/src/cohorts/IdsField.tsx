import { useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField } from '@backstage/ui';
import { analyticsTranslationRef } from '../translation';
import { idsIn, textOfIds } from './cohortForm';
import styles from '../analytics.module.css';

/** A field for the ids of a fixed list, which can be filled from a CSV file. */
export function IdsField(props: {
  ids: string;
  /** True if a missing value is marked. */
  isChecked: boolean;
  onChange(ids: string): void;
}) {
  const { ids, isChecked, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const input = useRef<HTMLInputElement>(null);
  const isMissing = isChecked && idsIn(ids).length === 0;
  return (
    <>
      <TextAreaField
        label={t('cohorts.ids')}
        description={t(isMissing ? 'cohorts.idsMissing' : 'cohorts.idsHelp')}
        autoComplete="off"
        spellCheck="false"
        rows={6}
        value={ids}
        isInvalid={isMissing}
        onChange={onChange}
      />
      <div className={styles.actions}>
        <Button
          size="small"
          variant="secondary"
          onPress={() => input.current?.click()}
        >
          {t('cohorts.file')}
        </Button>
        <input
          ref={input}
          type="file"
          accept="text/csv,.csv,text/plain"
          aria-label={t('cohorts.file')}
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            void file?.text().then(text => onChange(textOfIds(idsIn(text))));
            // Allow the user to choose the same file again after correcting it.
            target.value = '';
          }}
        />
      </div>
    </>
  );
}
