import { useEffect, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, DialogBody, DialogFooter } from '@backstage/ui';
import { isConflict, SendFailure, useServiceChange } from '@slipway/app-react';
import { LoadingRows, OpenDialog } from '@slipway/design-system';
import { flagsApiRef } from '../../api/FlagsApi';
import type { FlagExport, TransferPlace } from '../../api/transfer';
import { flagsTranslationRef } from '../../translation';
import styles from '../AccessPage.module.css';
import { ImportSummary } from './ImportSummary';
import { PlaceSelects } from './PlaceSelects';

/** Shows what an import into the chosen project and environment changes, and imports the file. */
export function ImportDialog(props: { data: FlagExport; onClose(): void }) {
  const { data, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const [place, setPlace] = useState<TransferPlace>({});
  const preview = useImportFlags();
  const { mutate: compare } = preview;
  useEffect(() => {
    compare({ data, dryRun: true, ...place });
  }, [compare, data, place]);
  const imported = useImportFlags();
  const report = imported.data ?? preview.data;
  const isPossible = report?.errors.length === 0;
  const hasEnded =
    imported.isSuccess || preview.isError || (report && !isPossible);
  return (
    <OpenDialog
      title={t(
        imported.isSuccess ? 'transfer.doneTitle' : 'transfer.reportTitle',
      )}
      onClose={onClose}
      width={640}
    >
      <DialogBody>
        <div className={styles.stack}>
          {preview.error && (
            <SendFailure
              title={t('transfer.readFailed')}
              error={preview.error}
            />
          )}
          {imported.error && (
            <SendFailure
              title={t(
                isConflict(imported.error)
                  ? 'transfer.conflict'
                  : 'transfer.importFailed',
              )}
              error={imported.error}
            />
          )}
          {!imported.isSuccess && (
            <PlaceSelects
              value={place}
              isDisabled={imported.isPending}
              onChange={chosen => {
                imported.reset();
                setPlace(chosen);
              }}
              any={{
                project: t('transfer.asInFile'),
                environment: t('transfer.asInFile'),
              }}
            />
          )}
          {report && <ImportSummary report={report} />}
          {!report && preview.isPending && (
            <LoadingRows label={t('transfer.checking')} rows={3} />
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        {hasEnded ? (
          <Button variant="primary" slot="close">
            {t('access.done')}
          </Button>
        ) : (
          <>
            <Button variant="secondary" slot="close">
              {t('transfer.cancel')}
            </Button>
            <Button
              variant="primary"
              isDisabled={!isPossible}
              isPending={imported.isPending}
              onPress={() =>
                imported.mutate(
                  { data, dryRun: false, etag: report?.etag, ...place },
                  {
                    onError: error =>
                      isConflict(error) &&
                      compare({ data, dryRun: true, ...place }),
                  },
                )
              }
            >
              {t('transfer.confirm')}
            </Button>
          </>
        )}
      </DialogFooter>
    </OpenDialog>
  );
}

/** Imports an export into a place, or with `dryRun` reports what that would do. */
function useImportFlags() {
  return useServiceChange(
    flagsApiRef,
    (
      api,
      {
        data,
        ...options
      }: { data: FlagExport; dryRun: boolean; etag?: string } & TransferPlace,
    ) => api.importFlags(data, options),
  );
}
