import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { CreatedConnectionResponse } from '@slipway/plugin-delivery-lake-common';
import { useConnect } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';
import { type Tracker, TRACKER_TITLES } from './forges';

/** Dialog that asks for the account or site of an incident tracker to connect. */
export function ConnectTrackerDialog(props: {
  onClose(): void;
  onCreated(connection: CreatedConnectionResponse): void;
}) {
  const { onClose, onCreated } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { mutate, reset, error, isPending } = useConnect();
  const [tracker, setTracker] = useState<Tracker>('pagerduty');
  const [address, setAddress] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const isNamed = address.trim() !== '';
  return (
    <OpenDialog
      title={t('connections.addTracker')}
      onClose={onClose}
      isLocked={isPending}
    >
      <DialogForm
        submitLabel={t('connections.create')}
        isPending={isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (isNamed) {
            mutate(
              { forge: tracker, repository: address.trim() },
              { onSuccess: onCreated },
            );
          }
        }}
      >
        {error && (
          <SendFailure
            title={t('connections.trackerFailed', {
              tracker: TRACKER_TITLES[tracker],
            })}
            error={error}
          />
        )}
        <Select
          label={t('connections.tracker')}
          value={tracker}
          onChange={value => {
            setTracker(value as Tracker);
            // What was wrong with the other one is no news about this one.
            setIsChecked(false);
            reset();
          }}
          options={Object.entries(TRACKER_TITLES).map(([value, label]) => ({
            value,
            label,
          }))}
        />
        <TextField
          // The address is the main input of the dialog.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t(`connections.${tracker}.address`)}
          description={t(`connections.${tracker}.addressHelp`)}
          value={address}
          onChange={setAddress}
          validationBehavior="aria"
          validate={() =>
            !isChecked || isNamed || t(`connections.${tracker}.addressMissing`)
          }
        />
      </DialogForm>
    </OpenDialog>
  );
}
