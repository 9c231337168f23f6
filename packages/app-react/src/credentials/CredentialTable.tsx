import { useState } from 'react';
import { Button } from '@backstage/ui';
import {
  ConfirmDialog,
  type DataColumn,
  DataTable,
} from '@slipway/design-system';
import { useErrorWords } from '../failures/failures';

/** What {@link CredentialTable} says. */
export interface CredentialTableTexts {
  /** The accessible name of the table. */
  label: string;
  name: string;
  /** Button and head of its column. */
  revoke: string;
  /** The button among others: "Delete token checkout". */
  revokeNamed(name: string): string;
  /** A question: "Delete the token of checkout?" */
  revokeTitle(name: string): string;
  revokeConfirm: string;
  /** What happens to who holds it. */
  revokeText: string;
}

/** Props of {@link CredentialTable}. */
export interface CredentialTableProps<C extends { id: string; name: string }> {
  credentials: readonly C[];
  /** Between the name and the button that revokes. */
  columns: readonly DataColumn<C>[];
  /** False for those of the configuration, and for readers. */
  mayRevoke(credential: C): boolean;
  /** Asked about first. The question stays and says why when it rejects. */
  onRevoke(credential: C): Promise<unknown>;
  texts: CredentialTableTexts;
}

/** Tokens or keys without their secrets, each with a button to revoke it. */
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
