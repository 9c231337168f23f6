import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Panel } from '@slipway/design-system';
import type { FlagExport } from '../../api/transfer';
import { useMayChange } from '../../queries/access';
import { flagsTranslationRef } from '../../translation';
import styles from '../AccessPage.module.css';
import { ExportDialog } from './ExportDialog';
import { ImportDialog } from './ImportDialog';

/** A panel that exports flags to a file, and imports such a file or an export of Unleash. */
export function TransferPanel() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  const input = useRef<HTMLInputElement>(null);
  const [isExporting, setIsExporting] = useState(false);
  const [data, setData] = useState<FlagExport>();
  const [isWrong, setIsWrong] = useState(false);
  const onFile = async (file: File | undefined) => {
    const content = file && readExport(await file.text());
    setIsWrong(file !== undefined && content === undefined);
    setData(content);
  };
  return (
    <Panel title={t('transfer.title')}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('transfer.text')}</p>
        {isWrong && <p role="alert">{t('transfer.noJson')}</p>}
        <div className={styles.actions}>
          <Button variant="secondary" onPress={() => setIsExporting(true)}>
            {t('transfer.export')}
          </Button>
          {mayChange && (
            <>
              <Button
                variant="secondary"
                onPress={() => input.current?.click()}
              >
                {t('transfer.import')}
              </Button>
              <input
                ref={input}
                type="file"
                accept="application/json,.json"
                aria-label={t('transfer.file')}
                hidden
                onChange={event => {
                  void onFile(event.target.files?.[0]);
                  // Reset, so that the same file can be chosen again after it was corrected.
                  event.target.value = '';
                }}
              />
            </>
          )}
        </div>
      </div>
      {isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}
      {data && <ImportDialog data={data} onClose={() => setData(undefined)} />}
    </Panel>
  );
}

/** Parses a file; returns undefined if it is not a JSON object. */
function readExport(text: string): FlagExport | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' &&
      content !== null &&
      !Array.isArray(content)
      ? (content as FlagExport)
      : undefined;
  } catch {
    return undefined;
  }
}
