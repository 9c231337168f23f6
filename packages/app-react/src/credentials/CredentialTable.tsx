import { useState } from 'react';
import { Button } from '@backstage/ui';
import {
  ConfirmDialog,
  type DataColumn,
  DataTable,
} from '@slipway/design-system';
import { useErrorWords } from '../failures/failures';

/** The texts of {@link CredentialTable}. */
interface CredentialTableTexts {
  /** The accessible name of the table. */
  label: string;
  name: string;
  /** Label of the button and header of its column. */
  revoke: string;
  /** Accessible name of a row's button: "Delete token checkout". */
  revokeNamed(name: string): string;
  /** The question: "Delete the token of checkout?" */
  revokeTitle(name: string): string;
  revokeConfirm: string;
  /** Explains the consequences for users of the credential. */
  revokeText: string;
}

/** Props of {@link CredentialTable}. */
export interface CredentialTableProps<C extends { id: string; name: string }> {
  credentials: readonly C[];
  /** Columns between the name and the revoke button. */
  columns: readonly DataColumn<C>[];
  /** Returns false for configured credentials, and for users without permission. */
  mayRevoke(credential: C): boolean;
  /** Called after confirmation. If it rejects, the dialog stays open and shows the error. */
  onRevoke(credential: C): Promise<unknown>;
  texts: CredentialTableTexts;
}

/** A table of tokens or keys, without their secrets, each with a button to revoke it. */
export function CredentialTable<C extends { id: string; name: string }>(
  props: CredentialTableProps<C>,
) {
  const { credentials, columns, mayRevoke, onRevoke, texts } = props;
  const errorWords = useErrorWords();
  const [doomed, setDoomed] = useState<C>();
  return (
    <>
      <DataTable
        isPlain
        label={texts.label}
        rows={credentials}
        rowId={({ id }) => id}
        columns={[
          {
            id: 'name',
            label: texts.name,
            text: ({ name }) => name,
            cell: ({ name }) => name,
          },
          ...columns,
          {
            id: 'revoke',
            label: texts.revoke,
            hidesLabel: true,
            width: 96,
            cell: credential =>
              mayRevoke(credential) && (
                <Button
                  size="small"
                  variant="tertiary"
                  aria-label={texts.revokeNamed(credential.name)}
                  onPress={() => setDoomed(credential)}
                >
                  {texts.revoke}
                </Button>
              ),
          },
        ]}
      />
      <ConfirmDialog
        isOpen={doomed !== undefined}
        onOpenChange={isOpen => !isOpen && setDoomed(undefined)}
        title={texts.revokeTitle(doomed?.name ?? '')}
        confirmLabel={texts.revokeConfirm}
        describeError={errorWords}
        onConfirm={async () => {
          if (doomed) {
            await onRevoke(doomed);
          }
        }}
      >
        {texts.revokeText}
      </ConfirmDialog>
    </>
  );
}
