import { ReactNode, useState } from 'react';
import { Radio, RadioGroup, TextField } from '@backstage/ui';
import { DialogForm } from '../dialog/DialogForm';

/** What {@link CredentialForm} says. */
export interface CredentialFormTexts {
  /** Title and button: "Create token". */
  create: string;
  name: string;
  nameHelp?: string;
  /** Under the field that was left empty. */
  nameMissing: string;
  kind: string;
}

const NAME_LENGTH = 100;

/** Name and kind of a credential, in a dialog: what was written stays when it was not made. */
export function CredentialForm<Kind extends string>(props: {
  kinds: readonly { id: Kind; label: string }[];
  onCreate(wanted: { name: string; kind: Kind }): Promise<void>;
  renderFailure(error: unknown): ReactNode;
  texts: CredentialFormTexts;
}) {
  const { kinds, onCreate, renderFailure, texts } = props;
  const [name, setName] = useState('');
  const [kind, setKind] = useState(kinds[0].id);
  const [isChecked, setIsChecked] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const isNamed = name.trim() !== '';

  const onSubmit = async () => {
    setIsChecked(true);
    if (!isNamed) {
      return;
    }
    setError(undefined);
    setIsPending(true);
    try {
      await onCreate({ name: name.trim(), kind });
    } catch (failure) {
      setError(failure);
    } finally {
      setIsPending(false);
    }
  };

  return (
    <DialogForm
      submitLabel={texts.create}
      isPending={isPending}
      onSubmit={onSubmit}
    >
      {error !== undefined && renderFailure(error)}
      <TextField
        // The name is what the dialog is about.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={texts.name}
        description={texts.nameHelp}
        maxLength={NAME_LENGTH}
        value={name}
        onChange={setName}
        validationBehavior="aria"
        validate={() => !isChecked || isNamed || texts.nameMissing}
      />
      <RadioGroup
        label={texts.kind}
        value={kind}
        onChange={value => setKind(value as Kind)}
      >
        {kinds.map(({ id, label }) => (
          <Radio key={id} value={id}>
            {label}
          </Radio>
        ))}
      </RadioGroup>
    </DialogForm>
  );
}
