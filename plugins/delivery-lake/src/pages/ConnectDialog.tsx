import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type {
  CreatedConnectionResponse,
  Forge,
} from '@slipway/plugin-delivery-lake-common';
import { useConnect } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';
import { FORGE_TITLES } from './forges';

/** Dialog that asks for the repository to connect. */
export function ConnectDialog(props: {
  onClose(): void;
  onCreated(connection: CreatedConnectionResponse): void;
}) {
  const { onClose, onCreated } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { mutate, error, isPending } = useConnect();
  const [repository, setRepository] = useState('');
  const [chosen, setForge] = useState<Forge>();
  const [isChecked, setIsChecked] = useState(false);
  const forge = chosen ?? forgeOf(repository);
  const isNamed = repository.includes('/');
  return (
    <OpenDialog
      title={t('connections.add')}
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
              { forge, repository: repository.trim() },
              { onSuccess: onCreated },
            );
          }
        }}
      >
        {error && (
          <SendFailure title={t('connections.createFailed')} error={error} />
        )}
        <TextField
          // The repository is the main input of the dialog.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('connections.address')}
          description={t('connections.addressHelp')}
          value={repository}
          onChange={setRepository}
          validationBehavior="aria"
          validate={() =>
            !isChecked || isNamed || t('connections.addressMissing')
          }
        />
        <Select
          label={t('connections.forge')}
          value={forge}
          onChange={value => setForge(value as Forge)}
          options={Object.entries(FORGE_TITLES).map(([value, label]) => ({
            value,
            label,
          }))}
        />
      </DialogForm>
    </OpenDialog>
  );
}

/** Guesses the forge from the address of a repository. */
function forgeOf(repository: string): Forge {
  const address = repository.toLocaleLowerCase('en-US');
  const known = (['gitlab', 'gitea', 'forgejo'] as const).find(name =>
    address.includes(name),
  );
  return known ?? (address.includes('codeberg.org') ? 'forgejo' : 'github');
}
