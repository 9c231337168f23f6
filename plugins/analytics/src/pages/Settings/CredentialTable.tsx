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
import {
  ConfirmDialog,
  EmptyState,
  RelativeTime,
} from '@slipway/design-system';
import type { Credential } from '../../api/types';
import { useRevokeCredential } from '../../data/useEvents';
import { analyticsTranslationRef } from '../../translation';

type ColumnId = 'name' | 'kind' | 'secret' | 'made' | 'revoke';

const WIDE: ColumnId[] = ['name', 'kind', 'secret', 'made', 'revoke'];
const NARROW: ColumnId[] = ['name', 'kind', 'revoke'];

/** Keys and tokens without their secrets. */
export function CredentialTable(props: {
  projectId: string;
  credentials: readonly Credential[];
  mayManage: boolean;
}) {
  const { projectId, credentials, mayManage } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [doomed, setDoomed] = useState<Credential>();
  const revoke = useRevokeCredential(projectId);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : WIDE).map(id => ({ id })),
    [isNarrow],
  );
  if (credentials.length === 0) {
    return (
      <EmptyState
        level={3}
        title={t('settings.emptyTitle')}
        description={t('settings.emptyDescription')}
      />
    );
  }
  return (
    <>
      <TableRoot aria-label={t('settings.title')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column id={id} isRowHeader={id === 'name'}>
              {t(`settings.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={credentials} dependencies={[columns, mayManage, t]}>
          {credential => (
            <Row id={credential.id} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell textValue={id === 'name' ? credential.name : undefined}>
                  <CredentialCell
                    column={id}
                    credential={credential}
                    onRevoke={
                      mayManage && !credential.isConfigured
                        ? () => setDoomed(credential)
                        : undefined
                    }
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
        title={t('settings.revokeTitle', { name: doomed?.name ?? '' })}
        confirmLabel={t('settings.revokeConfirm')}
        onConfirm={async () => {
          if (doomed) {
            await revoke.mutateAsync(doomed.id);
          }
        }}
      >
        {t('settings.revokeText')}
      </ConfirmDialog>
    </>
  );
}

function CredentialCell(props: {
  column: ColumnId;
  credential: Credential;
  onRevoke?: () => void;
}) {
  const { column, credential, onRevoke } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  switch (column) {
    case 'name':
      return <>{credential.name}</>;
    case 'kind':
      return <>{t(`settings.kinds.${credential.kind}`)}</>;
    case 'secret':
      return (
        <code>
          {credential.kind === 'capture' ? 'phc_' : 'phx_'}…{credential.hint}
        </code>
      );
    case 'made':
      return credential.isConfigured ? (
        <>{t('settings.configured')}</>
      ) : (
        <RelativeTime value={credential.createdAt} />
      );
    default:
      return onRevoke ? (
        <Button
          size="small"
          variant="tertiary"
          aria-label={t('settings.revokeNamed', { name: credential.name })}
          onPress={onRevoke}
        >
          {t('settings.revokeButton')}
        </Button>
      ) : null;
  }
}
