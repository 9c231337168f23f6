import { ReactNode, useState } from 'react';
import {
  Button,
  DialogBody,
  DialogFooter,
  Flex,
  Radio,
  RadioGroup,
  Text,
  TextField,
} from '@backstage/ui';
import { CodeLine, DialogForm, OpenDialog } from '@slipway/design-system';

const NAME_LENGTH = 100;

/** The texts of {@link CreateCredentialDialog}. */
interface CreateCredentialTexts {
  /** Title and button: "Create token". */
  create: string;
  name: string;
  nameHelp?: string;
  /** Shown under the name field if it is empty. */
  nameMissing: string;
  kind: string;
  /** Title above the secret: "Token for checkout". */
  madeTitle(name: string): string;
  /** Explains that the secret is not shown again, and where it is used. */
  madeText: string;
  /** Label of the copy button. */
  copy: string;
  done: string;
}

/** Props of {@link CreateCredentialDialog}. */
export interface CreateCredentialDialogProps<Kind extends string> {
  onClose(): void;
  /** The kinds to choose from; the first is the default. */
  kinds: readonly { id: Kind; label: string }[];
  /**
   * Creates the credential.
   *
   * @returns the secret, which is shown only once.
   */
  onCreate(wanted: { name: string; kind: Kind }): Promise<string>;
  /** Renders further fields below the kind, for credentials of that kind. */
  renderMore?(kind: Kind): ReactNode;
  /** Renders the error above the form if it was not created. */
  renderFailure(error: unknown): ReactNode;
  texts: CreateCredentialTexts;
}

/** Creates a token or key and shows its secret once: it is gone when the dialog is closed. */
export function CreateCredentialDialog<Kind extends string>(
  props: CreateCredentialDialogProps<Kind>,
) {
  const { onClose, kinds, onCreate, renderMore, renderFailure, texts } = props;
  const [made, setMade] = useState<{ name: string; secret: string }>();
  const [isPending, setIsPending] = useState(false);
  return (
    <OpenDialog
      title={made ? texts.madeTitle(made.name) : texts.create}
      onClose={onClose}
      // An accidental click outside would lose the secret.
      isDismissable={!made}
      isLocked={isPending}
    >
      {made ? (
        <NewSecret
          text={texts.madeText}
          code={made.secret}
          copy={texts.copy}
          done={texts.done}
        />
      ) : (
        <CredentialForm
          kinds={kinds}
          isPending={isPending}
          onCreate={async wanted => {
            setIsPending(true);
            try {
              const secret = await onCreate(wanted);
              setMade({ name: wanted.name, secret });
            } finally {
              setIsPending(false);
            }
          }}
          renderMore={renderMore}
          renderFailure={renderFailure}
          texts={texts}
        />
      )}
    </OpenDialog>
  );
}

/** Shows a secret in a dialog; once that is closed, it cannot be shown again. */
export function NewSecret(props: {
  /** Explains that the secret is not shown again, and where it is used. */
  text: string;
  /** The secret, or a command with it. */
  code: string;
  /** Label of the copy button. */
  copy: string;
  done: string;
}) {
  const { text, code, copy, done } = props;
  return (
    <>
      <DialogBody>
        <Flex direction="column" gap="4">
          <Text as="p">{text}</Text>
          <CodeLine code={code} label={copy} />
        </Flex>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" slot="close">
          {done}
        </Button>
      </DialogFooter>
    </>
  );
}

/**
 * The form with name and kind of a credential; keeps its input if the credential is not created.
 */
function CredentialForm<Kind extends string>(props: {
  kinds: readonly { id: Kind; label: string }[];
  isPending: boolean;
  onCreate(wanted: { name: string; kind: Kind }): Promise<void>;
  renderMore?(kind: Kind): ReactNode;
  renderFailure(error: unknown): ReactNode;
  texts: CreateCredentialTexts;
}) {
  const { kinds, isPending, onCreate, renderMore, renderFailure, texts } =
    props;
  const [name, setName] = useState('');
  const [kind, setKind] = useState(kinds[0].id);
  const [isChecked, setIsChecked] = useState(false);
  const [error, setError] = useState<unknown>();
  const isNamed = name.trim() !== '';

  const onSubmit = async () => {
    setIsChecked(true);
    if (!isNamed) {
      return;
    }
    setError(undefined);
    try {
      await onCreate({ name: name.trim(), kind });
    } catch (failure) {
      setError(failure);
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
        // The name is the main input of the dialog.
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
      {renderMore?.(kind)}
    </DialogForm>
  );
}
