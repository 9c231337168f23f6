import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SendFailure, useServiceChange } from '@slipway/app-react';
import { DialogForm, OpenDialog, saveFile } from '@slipway/design-system';
import { flagsApiRef } from '../../api/FlagsApi';
import type { TransferPlace } from '../../api/transfer';
import { flagsTranslationRef } from '../../translation';
import { PlaceSelects } from './PlaceSelects';

/** Saves an export of everything, or of one project or environment, to a file. */
export function ExportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const [place, setPlace] = useState<TransferPlace>({});
  const { mutate, error, isPending } = useServiceChange(
    flagsApiRef,
    (api, from: TransferPlace) => api.exportFlags(from),
  );
  const { project, environment } = place;
  const name = ['flags', project, environment].filter(Boolean).join('-');
  return (
    <OpenDialog title={t('transfer.export')} onClose={onClose}>
      <DialogForm
        submitLabel={t('transfer.export')}
        isPending={isPending}
        onSubmit={() =>
          mutate(place, {
            onSuccess(exported) {
              saveFile(`${name}.json`, {
                text: JSON.stringify(exported, undefined, 2),
                type: 'application/json',
              });
              onClose();
            },
          })
        }
      >
        {error && (
          <SendFailure title={t('transfer.exportFailed')} error={error} />
        )}
        <PlaceSelects
          value={place}
          onChange={setPlace}
          any={{
            project: t('transfer.allProjects'),
            environment: t('transfer.allEnvironments'),
          }}
        />
      </DialogForm>
    </OpenDialog>
  );
}
