import type { ReactNode } from 'react';
import {
  type Entity,
  RELATION_MEMBER_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import {
  Loaded,
  matchesWords,
  SavedViews,
  useServiceQuery,
  useTitles,
} from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  FilterBar,
  LoadingRows,
  RelativeTime,
  StatusBadge,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { Role } from '@slipway/entity-contract';
import { EntityLink, EntityLinks } from '../../entities/EntityLinks';
import { relatedRefs } from '../../entities/relatedRefs';
import { type Translate, appTranslationRef } from '../../translation';
import { toRow } from '../catalog/entityFacts';
import { readEntities } from '../catalog/useCatalogEntities';
import { adminApiRef, type OfPart } from './AdminClient';
import { EmptyList, NameCell } from './partData';

/** A user of the catalog, with what the user may do. */
interface Person {
  ref: string;
  name: string;
  email: string | undefined;
  /** Entity references of the groups that the user is a member of. */
  teams: readonly string[];
  /** Roles that follow from a group, such as `Portal: Platform admins`. */
  roles: readonly string[];
  isAdmin: boolean;
  /** ISO 8601; undefined if the user never opened the inbox. */
  visitedAt: string | undefined;
}

const FIELDS = ['kind', 'metadata', 'spec.profile', 'relations'];

/** Lists the users of the catalog with their teams, roles and last visit. */
export function PeopleList(props: {
  roles: readonly OfPart<Role>[];
  /** Switches to another list. */
  toggle: ReactNode;
}) {
  const { roles, toggle } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const users = useServiceQuery(catalogApiRef, ['users'], api =>
    readEntities(api, { filter: { kind: 'user' }, fields: FIELDS }),
  );
  // Without the visits, the list still shows who may do what.
  const { data: visits = new Map<string, string>() } = useServiceQuery(
    adminApiRef,
    ['visits'],
    api => api.visits(),
  );
  return (
    <Loaded
      query={users}
      failed={t('admin.people.failed')}
      loading={<LoadingRows label={t('admin.people.loading')} rows={6} />}
    >
      {entities => (
        <People
          people={entities.map(entity => readPerson(entity, { roles, visits }))}
          toggle={toggle}
        />
      )}
    </Loaded>
  );
}

function People(props: { people: readonly Person[]; toggle: ReactNode }) {
  const { people, toggle } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const filters = useUrlFilters({ q: '', team: '', access: '' });
  const sort = useUrlSort(['name', 'roles', 'visit'], {
    column: 'name',
    direction: 'ascending',
  });
  const { q, team, access } = filters.values;
  const rows = people.filter(
    ({ name, email, ref, teams, isAdmin }) =>
      (team === '' || teams.includes(team)) &&
      (access === '' || isAdmin === (access === 'admin')) &&
      matchesWords(q, [name, email, ref]),
  );
  const teams = [...new Set(people.flatMap(person => person.teams))];
  const titleOf = useTitles(teams);
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('admin.people.search') }}
        selects={[
          {
            key: 'team',
            label: t('admin.people.team'),
            anyLabel: t('admin.people.anyTeam'),
            options: teams
              .map(ref => ({ value: ref, label: titleOf(ref) }))
              .sort((one, other) => one.label.localeCompare(other.label)),
          },
          {
            key: 'access',
            label: t('admin.roles.role'),
            anyLabel: t('admin.people.anyRole'),
            options: [
              { value: 'admin', label: t('admin.people.admin') },
              { value: 'user', label: t('admin.people.user') },
            ],
          },
        ]}
        count={{
          shown: rows.length,
          total: people.length,
          noun: [t('admin.people.nounOne'), t('admin.people.nounMany')],
        }}
      >
        {toggle}
        <SavedViews list="admin-people" />
      </FilterBar>
      <DataTable
        label={t('admin.people.title')}
        rows={rows}
        rowId={({ ref }) => ref}
        sort={sort}
        columnChoice={useUrlColumns()}
        exportAs="people"
        empty={<EmptyList list="people" hasRows={people.length > 0} />}
        columns={columnsOf(t, titleOf)}
      />
      <p className="slw-AdminNote">{t('admin.people.visitNote')}</p>
    </>
  );
}

function columnsOf(
  t: Translate,
  titleOf: (ref: string) => string,
): DataColumn<Person>[] {
  return [
    {
      id: 'name',
      label: t('admin.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ ref, teams, visitedAt }, { isNarrow }) => (
        <NameCell name={<EntityLink entityRef={ref} />} isNarrow={isNarrow}>
          {teams.map(titleOf).join(', ') || '–'}
          {visitedAt && (
            <>
              {' '}
              · <RelativeTime value={visitedAt} />
            </>
          )}
        </NameCell>
      ),
    },
    {
      id: 'email',
      label: t('admin.people.email'),
      width: '20%',
      from: 'md',
      csv: ({ email }) => email,
      cell: ({ email }) => email ?? '–',
    },
    {
      id: 'teams',
      label: t('admin.people.teams'),
      width: '24%',
      from: 'sm',
      csv: ({ teams }) => teams.join(', '),
      cell: ({ teams }) =>
        teams.length > 0 ? <EntityLinks refs={teams} /> : '–',
    },
    {
      id: 'roles',
      label: t('admin.roles.role'),
      width: 160,
      sortBy: ({ isAdmin }) => (isAdmin ? 0 : 1),
      csv: ({ roles }) => roles.join(', '),
      cell: ({ isAdmin, roles }) =>
        isAdmin ? (
          <StatusBadge tone="info" label={t('admin.people.admin')} />
        ) : (
          roles.join(', ') || t('admin.people.user')
        ),
    },
    {
      id: 'visit',
      label: t('admin.people.visit'),
      width: 136,
      from: 'sm',
      csv: ({ visitedAt }) => visitedAt,
      sortBy: ({ visitedAt }) => visitedAt,
      cell: ({ visitedAt }) =>
        visitedAt ? <RelativeTime value={visitedAt} /> : t('admin.never'),
    },
  ];
}

/** Returns a user with the roles that follow from the user's groups. */
function readPerson(
  entity: Entity,
  options: {
    roles: readonly OfPart<Role>[];
    visits: ReadonlyMap<string, string>;
  },
): Person {
  const { spec } = entity;
  const ref = stringifyEntityRef(entity);
  const teams = relatedRefs(entity, RELATION_MEMBER_OF, { kind: 'group' });
  const held = options.roles.filter(({ groups }) =>
    groups.some(group => teams.includes(group.toLowerCase())),
  );
  const isAdmin = held.some(({ partId }) => partId === 'portal');
  const profile = spec?.profile as { email?: string } | undefined;
  return {
    ref,
    name: toRow(entity).name,
    email: profile?.email,
    teams,
    roles: held.map(({ part, name }) => `${part}: ${name}`),
    isAdmin,
    visitedAt: options.visits.get(ref),
  };
}
