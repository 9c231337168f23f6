import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import {
  actorName,
  Loaded,
  matchesWords,
  SavedViews,
} from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  FilterBar,
  LoadingRows,
  RelativeTime,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { Token } from '@slipway/entity-contract';
import { appTranslationRef, type Translate } from '../../translation';
import type { OfPart, PlatformAdministration } from './AdminClient';
import {
  EmptyList,
  MissingParts,
  NameCell,
  NameLink,
  partColumn,
  partSelect,
  Stack,
  useAdministration,
} from './partData';
import { RemoveDialog } from './RemoveDialog';
import {
  expiryOf,
  isInState,
  TOKEN_STATES,
  TokenExpiry,
  type TokenState,
} from './TokenState';
import './admin.css';

const SORTED = ['name', 'part', 'kind', 'created', 'used', 'expires'];

/** Lists the tokens, keys and agents of all parts, and revokes those that are not configured. */
export function TokensPage() {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Loaded
      query={useAdministration()}
      failed={t('admin.tokens.failed')}
      loading={<LoadingRows label={t('admin.tokens.loading')} rows={8} />}
    >
      {administration => <Tokens {...administration} />}
    </Loaded>
  );
}

function Tokens({ tokens, parts, missing }: PlatformAdministration) {
  const { t } = useTranslationRef(appTranslationRef);
  const filters = useUrlFilters({ q: '', part: '', kind: '', state: '' });
  const sort = useUrlSort(SORTED, {
    column: 'part',
    direction: 'ascending',
  });
  const [revoking, setRevoking] = useState<OfPart<Token>>();
  const { q, part, kind, state } = filters.values;
  const now = Date.now();
  const rows = tokens.filter(
    token =>
      (part === '' || token.part === part) &&
      (kind === '' || token.kind === kind) &&
      (state === '' || isInState(token, state as TokenState, now)) &&
      matchesWords(q, [token.name, ...token.scopes, token.createdBy]),
  );
  const kinds = [...new Set(tokens.map(token => token.kind))];
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('admin.tokens.search') }}
        selects={[
          partSelect(t, parts),
          {
            key: 'kind',
            label: t('admin.kind'),
            anyLabel: t('admin.anyKind'),
            options: kinds.map(value => ({
              value,
              label: t(`admin.tokens.kinds.${value}`),
            })),
          },
          {
            key: 'state',
            label: t('admin.state'),
            anyLabel: t('admin.anyState'),
            options: TOKEN_STATES.map(value => ({
              value,
              label: t(`admin.tokens.states.${value}`),
            })),
          },
        ]}
        count={{
          shown: rows.length,
          total: tokens.length,
          noun: [t('admin.tokens.nounOne'), t('admin.tokens.nounMany')],
        }}
      >
        <SavedViews list="admin-tokens" />
      </FilterBar>
      <MissingParts parts={missing} />
      <DataTable
        label={t('admin.tokens.title')}
        rows={rows}
        rowId={({ id }) => id}
        sort={sort}
        columnChoice={useUrlColumns()}
        exportAs="tokens"
        empty={<EmptyList list="tokens" hasRows={tokens.length > 0} />}
        columns={columnsOf(t, setRevoking)}
      />
      {revoking && (
        <RemoveDialog
          item={revoking}
          texts={{
            title: t('admin.tokens.revokeTitle', { name: revoking.name }),
            text: t('admin.tokens.revokeText', { part: revoking.part }),
            confirm: t('admin.tokens.revokeConfirm'),
            failed: t('admin.tokens.revokeFailed'),
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

function columnsOf(
  t: Translate,
  onRevoke: (token: OfPart<Token>) => void,
): DataColumn<OfPart<Token>>[] {
  return [
    {
      id: 'name',
      label: t('admin.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name.toLowerCase(),
      cell: (token, { isNarrow }) => {
        const { name, page, part, kind } = token;
        return (
          <NameCell
            name={<NameLink name={name} page={page} />}
            isNarrow={isNarrow}
            mark={expiryOf(token, Date.now()) && <TokenExpiry token={token} />}
          >
            {part} · {t(`admin.tokens.kinds.${kind}`)}
          </NameCell>
        );
      },
    },
    partColumn(t),
    {
      id: 'kind',
      label: t('admin.kind'),
      width: 136,
      from: 'sm',
      sortBy: ({ kind }) => t(`admin.tokens.kinds.${kind}`),
      cell: ({ kind }) => t(`admin.tokens.kinds.${kind}`),
    },
    {
      id: 'scope',
      label: t('admin.tokens.scope'),
      width: '17%',
      from: 'md',
      csv: ({ scopes }) => scopes.join(', '),
      cell: ({ scopes }) => scopes.join(', ') || t('admin.tokens.noLimit'),
    },
    {
      id: 'created',
      label: t('admin.tokens.created'),
      width: 132,
      from: 'lg',
      csv: ({ createdAt }) => createdAt,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt, createdBy }) =>
        createdAt === null ? (
          t('admin.configured')
        ) : (
          <Stack name={<RelativeTime value={createdAt} />}>
            {createdBy && actorName(createdBy)}
          </Stack>
        ),
    },
    {
      id: 'used',
      label: t('admin.tokens.used'),
      width: 116,
      from: 'md',
      csv: ({ lastUsedAt }) => lastUsedAt,
      sortBy: ({ lastUsedAt }) => lastUsedAt,
      cell: ({ lastUsedAt }) => {
        if (lastUsedAt === undefined) {
          return '–';
        }
        return lastUsedAt === null ? (
          t('admin.tokens.never')
        ) : (
          <RelativeTime value={lastUsedAt} />
        );
      },
    },
    {
      id: 'expires',
      label: t('admin.tokens.expires'),
      width: 136,
      from: 'sm',
      csv: ({ expiresAt }) => expiresAt,
      sortBy: ({ expiresAt }) => expiresAt,
      cell: token => <TokenExpiry token={token} />,
    },
    {
      id: 'revoke',
      label: t('admin.tokens.revoke'),
      hidesLabel: true,
      width: 88,
      cell: token =>
        token.remove !== undefined && (
          <Button
            size="small"
            variant="tertiary"
            aria-label={t('admin.tokens.revokeNamed', { name: token.name })}
            onPress={() => onRevoke(token)}
          >
            {t('admin.tokens.revoke')}
          </Button>
        ),
    },
  ];
}
