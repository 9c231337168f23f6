import { ReactNode, useMemo, useState } from 'react';
import {
  Button,
  Cell,
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
} from '@backstage/ui';
import { ConfirmDialog } from '@slipway/design-system';
import { useErrorWords } from '../failures/failures';

/** A column between the name and the button that revokes. */
export interface CredentialColumn<C> {
  id: string;
  label: string;
  cell(credential: C): ReactNode;
  /** Left out where there is little room. */
  wideOnly?: boolean;
}

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
  columns: readonly CredentialColumn<C>[];
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
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const all = useMemo<readonly CredentialColumn<C>[]>(
    () => [
      { id: 'name', label: texts.name, cell: ({ name }) => name },
      ...columns.filter(({ wideOnly }) => !isNarrow || !wideOnly),
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
    ],
    [columns, isNarrow, mayRevoke, texts],
  );
  return (
    <>
      <TableRoot aria-label={texts.label}>
        <TableHeader columns={all}>
          {({ id, label }) => (
            <Column id={id} isRowHeader={id === 'name'}>
              {label}
            </Column>
          )}
        </TableHeader>
        <TableBody items={credentials} dependencies={[all]}>
          {credential => (
            <Row id={credential.id} columns={all}>
              {({ id, cell }: CredentialColumn<C>) => (
                <Cell textValue={id === 'name' ? credential.name : undefined}>
                  {cell(credential)}
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
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
