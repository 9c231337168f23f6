import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  ListAndPanel,
  LoadingRows,
  Panel,
  useUrlFilters,
} from '@slipway/design-system';
import type { Role } from '@slipway/entity-contract';
import { EntityLinks } from '../../entities/EntityLinks';
import { type Translate, appTranslationRef } from '../../translation';
import type { OfPart, PlatformAdministration } from './AdminClient';
import { MissingParts, useAdministration } from './partData';
import { PeopleTable } from './PeopleTable';
import { RolePanel } from './RolePanel';
import './admin.css';

/** Shows who may do what in all parts, and everyone's teams and roles; the URL names the open role. */
export function AccessPage() {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Loaded
      query={useAdministration()}
      failed={t('admin.roles.failed')}
      loading={<LoadingRows label={t('admin.roles.loading')} rows={12} />}
    >
      {administration => (
        <>
          <p className="slw-AdminNote">{t('admin.roles.how')}</p>
          <MissingParts parts={administration.missing} />
          <Roles {...administration} />
          <Panel title={t('admin.people.title')}>
            <PeopleTable roles={administration.roles} />
          </Panel>
        </>
      )}
    </Loaded>
  );
}

function Roles({ roles }: PlatformAdministration) {
  const { t } = useTranslationRef(appTranslationRef);
  const selection = useUrlFilters({ role: '' });
  const opened = roles.find(({ id }) => id === selection.values.role);
  return (
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
        rows={roles}
        rowId={({ id }) => id}
        selectedId={opened?.id}
        onOpen={id => selection.set('role', id)}
        exportAs="roles"
        columns={columnsOf(t)}
      />
    </ListAndPanel>
  );
}

function columnsOf(t: Translate): DataColumn<OfPart<Role>>[] {
  return [
    {
      id: 'role',
      label: t('admin.roles.role'),
      text: ({ name }) => name,
      cell: ({ name, part }, { isNarrow }) =>
        isNarrow ? (
          <span className="slw-AdminStack">
            {name}
            <span className="slw-AdminBeside">{part}</span>
          </span>
        ) : (
          name
        ),
    },
    {
      id: 'part',
      label: t('admin.part'),
      width: 112,
      from: 'sm',
      cell: ({ part }) => part,
    },
    {
      id: 'groups',
      label: t('admin.roles.groups'),
      width: '20%',
      csv: ({ groups }) => groups.join(', '),
      cell: ({ groups }) =>
        groups.length > 0 ? <EntityLinks refs={groups} /> : '–',
    },
    {
      id: 'may',
      label: t('admin.roles.may'),
      width: '32%',
      from: 'md',
      beside: false,
      csv: ({ may }) => may.join('; '),
      cell: ({ may }) => may.join(' · '),
    },
    {
      id: 'key',
      label: t('admin.roles.key'),
      width: 208,
      from: 'lg',
      beside: false,
      csv: ({ key }) => key,
      cell: ({ key }) => (key ? <code>{key}</code> : '–'),
    },
  ];
}
