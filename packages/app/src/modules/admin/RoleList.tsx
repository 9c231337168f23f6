import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { matchesWords, SavedViews } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  EmptyState,
  FilterBar,
  ListAndPanel,
  useUrlColumns,
  useUrlFilters,
} from '@slipway/design-system';
import type { Role } from '@slipway/entity-contract';
import { EntityLinks } from '../../entities/EntityLinks';
import { appTranslationRef, type Translate } from '../../translation';
import type { OfPart } from './AdminClient';
import {
  NameCell,
  partColumn,
  partSelect,
  NameLink,
  useDetailsHref,
} from './partData';
import { RolePanel } from './RolePanel';

/** Lists the roles of all parts, with their permissions; the URL names the open one. */
export function RoleList(props: {
  roles: readonly OfPart<Role>[];
  parts: readonly string[];
  /** Switches to another list. */
  toggle: ReactNode;
}) {
  const { roles, parts, toggle } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const filters = useUrlFilters({ q: '', part: '' });
  const selection = useUrlFilters({ role: '' }, { addsHistory: true });
  const hrefOf = useDetailsHref('role');
  const { q, part } = filters.values;
  const rows = roles.filter(
    role =>
      (part === '' || role.part === part) &&
      matchesWords(q, [role.name, ...role.groups, ...role.may, role.key]),
  );
  const opened = roles.find(({ id }) => id === selection.values.role);
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('admin.roles.search') }}
        selects={[partSelect(t, parts)]}
        count={{
          shown: rows.length,
          total: roles.length,
          noun: [t('admin.roles.nounOne'), t('admin.roles.nounMany')],
        }}
      >
        {toggle}
        <SavedViews list="admin-roles" />
      </FilterBar>
      <ListAndPanel
        panel={
          opened && (
            <RolePanel
              key={opened.id}
              role={opened}
              onClose={() => selection.set('role', '')}
            />
          )
        }
      >
        <DataTable
          label={t('admin.roles.title')}
          rows={rows}
          rowId={({ id }) => id}
          selectedId={opened?.id}
          onOpen={id => selection.set('role', id)}
          columnChoice={useUrlColumns('roleColumns')}
          exportAs="roles"
          empty={
            <EmptyState
              title={t('admin.roles.noMatch')}
              description={t('admin.noMatchText')}
            />
          }
          columns={columnsOf(t, hrefOf)}
        />
      </ListAndPanel>
    </>
  );
}

function columnsOf(
  t: Translate,
  hrefOf: (id: string) => string,
): DataColumn<OfPart<Role>>[] {
  return [
    {
      id: 'role',
      label: t('admin.roles.role'),
      text: ({ name }) => name,
      cell: ({ id, name, part }, { isNarrow }) => (
        <NameCell
          name={<NameLink name={name} page={hrefOf(id)} />}
          isNarrow={isNarrow}
        >
          {part}
        </NameCell>
      ),
    },
    partColumn(t),
    {
      id: 'groups',
      label: t('admin.roles.groups'),
      width: '18%',
      from: 'sm',
      csv: ({ groups }) => groups.join(', '),
      cell: ({ groups }) =>
        groups.length > 0 ? <EntityLinks refs={groups} /> : '–',
    },
    {
      id: 'may',
      label: t('admin.roles.may'),
      width: '30%',
      from: 'md',
      beside: false,
      csv: ({ may }) => may.join('; '),
      cell: ({ may }) => may.join(' · '),
    },
    {
      id: 'key',
      label: t('admin.roles.key'),
      width: 272,
      from: 'lg',
      beside: false,
      csv: ({ key }) => key,
      cell: ({ key }) => (key ? <code>{key}</code> : '–'),
    },
  ];
}
