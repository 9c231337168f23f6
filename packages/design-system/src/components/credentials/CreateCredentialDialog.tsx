import { ReactNode, useState } from 'react';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { CodeLine } from '../copy/CodeLine';
import { CredentialForm, CredentialFormTexts } from './CredentialForm';
import './credentials.css';

/** What {@link CreateCredentialDialog} says. */
export interface CreateCredentialTexts extends CredentialFormTexts {
  /** Over the secret: "Token for checkout". */
  madeTitle(name: string): string;
  /** That it is not shown again, and where it belongs. */
  madeText: string;
  /** Name of the copy button. */
  copy: string;
  done: string;
}

/** Props of {@link CreateCredentialDialog}. */
export interface CreateCredentialDialogProps<Kind extends string> {
  onClose(): void;
  /** To choose from; the first is the default. */
  kinds: readonly { id: Kind; label: string }[];
  /** Makes it. @returns the secret, which is shown this once. */
  onCreate(wanted: { name: string; kind: Kind }): Promise<string>;
  /** Says above the form why it was not made. */
  renderFailure(error: unknown): ReactNode;
  texts: CreateCredentialTexts;
}

/**
 * Makes a token or key and shows its secret, this once: who closes the dialog does not
 * see it again.
 */
export function CreateCredentialDialog<Kind extends string>(
  props: CreateCredentialDialogProps<Kind>,
) {
  const { onClose, kinds, onCreate, renderFailure, texts } = props;
  const [made, setMade] = useState<{ name: string; secret: string }>();
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      // A click beside it would lose the secret.
      isDismissable={!made}
      width={560}
    >
      <DialogHeader>
        {made ? texts.madeTitle(made.name) : texts.create}
      </DialogHeader>
      {made ? (
        <>
          <DialogBody>
            <div className="slw-CredentialStack">
              <p>{texts.madeText}</p>
              <CodeLine code={made.secret} label={texts.copy} />
            </div>
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" slot="close">
              {texts.done}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <CredentialForm
          kinds={kinds}
          onCreate={async wanted => {
            const secret = await onCreate(wanted);
            setMade({ name: wanted.name, secret });
          }}
          renderFailure={renderFailure}
          texts={texts}
        />
      )}
    </Dialog>
  );
}
