import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type {
  CreatedConnectionResponse,
  Forge,
  Sender,
} from '@slipway/plugin-delivery-lake-common';
import { useConnect } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';
import { FORGE_TITLES, isTracker, TRACKER_TITLES } from './forges';

/**
 * A kind of source that can be connected: the repository of a forge, or the account or site of a
 * tracker.
 */
export type Connectable = 'repository' | 'tracker';

const KINDS = {
  repository: {
    add: 'connections.add',
    choose: 'connections.forge',
    titles: FORGE_TITLES,
    senderOf: forgeOf,
    isAddress: (text: string) => text.includes('/'),
  },
  tracker: {
    add: 'connections.addTracker',
    choose: 'connections.tracker',
    titles: TRACKER_TITLES,
    senderOf: (): Sender => 'pagerduty',
    isAddress: (text: string) => text.trim() !== '',
  },
} as const;

/** A dialog for connecting a repository, or the account or site of an incident tracker. */
export function ConnectDialog(props: {
  kind: Connectable;
  onClose(): void;
  onCreated(connection: CreatedConnectionResponse): void;
}) {
  const { kind, onClose, onCreated } = props;
  const { add, choose, titles, senderOf, isAddress } = KINDS[kind];
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { mutate, reset, error, isPending } = useConnect();
  const [address, setAddress] = useState('');
  const [chosen, setChosen] = useState<Sender>();
  const [isChecked, setIsChecked] = useState(false);
  const sender: Sender = chosen ?? senderOf(address);
  const texts = isTracker(sender)
    ? (`connections.${sender}` as const)
    : 'connections';
  const select = (
    <Select
      label={t(choose)}
      value={sender}
      onChange={value => {
        setChosen(value as Sender);
        // Clears errors, which were about the previous choice.
        setIsChecked(false);
        reset();
      }}
      options={Object.entries(titles).map(([value, label]) => ({
        value,
        label,
      }))}
    />
  );
  return (
    <OpenDialog title={t(add)} onClose={onClose} isLocked={isPending}>
      <DialogForm
        submitLabel={t('connections.create')}
        isPending={isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (isAddress(address)) {
            mutate(
              { forge: sender, repository: address.trim() },
              { onSuccess: onCreated },
            );
          }
        }}
      >
        {error && (
          <SendFailure
            title={
              isTracker(sender)
                ? t('connections.trackerFailed', {
                    tracker: TRACKER_TITLES[sender],
                  })
                : t('connections.createFailed')
            }
            error={error}
          />
        )}
        {kind === 'tracker' && select}
        <TextField
          // The address is the main input of the dialog.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t(`${texts}.address`)}
          description={t(`${texts}.addressHelp`)}
          value={address}
          onChange={setAddress}
          validationBehavior="aria"
          validate={() =>
            !isChecked || isAddress(address) || t(`${texts}.addressMissing`)
          }
        />
        {kind === 'repository' && select}
      </DialogForm>
    </OpenDialog>
  );
}

/** Guesses the forge from the URL of a repository. */
function forgeOf(repository: string): Forge {
  const address = repository.toLocaleLowerCase('en-US');
  const known = (['gitlab', 'gitea', 'forgejo'] as const).find(name =>
    address.includes(name),
  );
  return known ?? (address.includes('codeberg.org') ? 'forgejo' : 'github');
}
