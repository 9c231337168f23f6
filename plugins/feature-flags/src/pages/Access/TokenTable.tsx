import { useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
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
import { ConfirmDialog, RelativeTime } from '@slipway/design-system';
import type { ApiToken } from '../../api/types';
import { useDeleteToken } from '../../data/useChanges';
import { flagsTranslationRef } from '../../translation';

type ColumnId = 'name' | 'kind' | 'scope' | 'made' | 'remove';

const WIDE: ColumnId[] = ['name', 'kind', 'scope', 'made', 'remove'];
const NARROW: ColumnId[] = ['name', 'kind', 'remove'];

/** Tokens without their secrets. */
export function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const [doomed, setDoomed] = useState<ApiToken>();
  const remove = useDeleteToken();
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : WIDE).map(id => ({ id })),
    [isNarrow],
  );
  return (
    <>
      <TableRoot aria-label={t('access.title')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column id={id} isRowHeader={id === 'name'}>
              {t(`access.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={tokens} dependencies={[columns, t]}>
          {token => (
            <Row id={token.id} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell textValue={id === 'name' ? token.tokenName : undefined}>
                  <TokenCell
                    column={id}
                    token={token}
                    onRemove={() => setDoomed(token)}
                  />
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
      <ConfirmDialog
        isOpen={doomed !== undefined}
        onOpenChange={isOpen => !isOpen && setDoomed(undefined)}
        title={t('access.removeTitle', { name: doomed?.tokenName ?? '' })}
        confirmLabel={t('access.removeConfirm')}
        onConfirm={async () => {
          if (doomed) {
            await remove.mutateAsync(doomed.id);
          }
        }}
      >
        {t('access.removeText')}
      </ConfirmDialog>
    </>
  );
}

function TokenCell(props: {
  column: ColumnId;
  token: ApiToken;
  onRemove(): void;
}) {
  const { column, token, onRemove } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  switch (column) {
    case 'name':
      return <>{token.tokenName}</>;
    case 'kind':
      return <>{t(`access.type.${token.type}`)}</>;
    case 'scope':
      return <>{`${token.projects.join(', ')} : ${token.environment}`}</>;
    case 'made':
      return token.createdAt === null ? (
        <>{t('access.configured')}</>
      ) : (
        <RelativeTime value={token.createdAt} />
      );
    default:
      return token.createdAt === null ? null : (
        <Button
          size="small"
          variant="tertiary"
          aria-label={t('access.removeNamed', { name: token.tokenName })}
          onPress={onRemove}
        >
          {t('access.removeButton')}
        </Button>
      );
  }
}
