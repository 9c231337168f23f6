import type { Entity } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import {
  type EntityPart,
  type EntityPartsApi,
  entityPartsApiRef,
  Loaded,
  useServiceQuery,
} from '@slipway/app-react';
import {
  DataTable,
  EmptyState,
  LoadingRows,
  StatusBadge,
} from '@slipway/design-system';
import type { EntitySummary } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { toRow } from '../catalog/entityFacts';
import { adminApiRef } from './AdminClient';
import './admin.css';

/** Maximum number of teams; each needs a request to every part. */
const MAX_TEAMS = 50;
/** Number of teams queried concurrently. */
const AT_ONCE = 3;
const FRESH_MS = 300_000;
const PERIODS = [7, 30] as const;

interface TeamUse {
  ref: string;
  name: string;
  /** The state of each part for the team, by the part's id; undefined if it did not respond. */
  states: Readonly<Record<string, EntitySummary['state'] | undefined>>;
}

/** Shows who uses the portal, and which parts of the platform each team uses. */
export function AdoptionPage() {
  const { t } = useTranslationRef(appTranslationRef);
  const parts = useApi(entityPartsApiRef).list();
  const query = useTeams();
  const linkTo = useEntityRefLink();
  return (
    <>
      <People />
      <Loaded
        query={query}
        failed={t('admin.adoption.failed')}
        loading={<LoadingRows label={t('admin.adoption.loading')} rows={8} />}
      >
        {({ teams, total }) => (
          <>
            {total > teams.length && (
              <p className="slw-AdminNote">
                {t('admin.adoption.some', {
                  number: String(teams.length),
                  total: String(total),
                })}
              </p>
            )}
            <DataTable
              label={t('admin.adoption.title')}
              rows={teams}
              rowId={({ ref }) => ref}
              exportAs="adoption"
              empty={
                <EmptyState
                  title={t('admin.adoption.empty')}
                  description={t('admin.adoption.emptyText')}
                />
              }
              columns={[
                {
                  id: 'team',
                  label: t('admin.adoption.team'),
                  text: ({ name }) => name,
                  cell: ({ ref, name }) => (
                    <Link href={linkTo(ref)}>{name}</Link>
                  ),
                },
                {
                  id: 'used',
                  label: t('admin.adoption.used'),
                  width: 96,
                  isNumber: true,
                  csv: team => usedBy(team, parts),
                  cell: team =>
                    t('admin.adoption.of', {
                      used: String(usedBy(team, parts)),
                      all: String(parts.length),
                    }),
                },
                ...parts.map(({ id, title }) => ({
                  id,
                  label: title,
                  width: '11%',
                  from: 'md' as const,
                  csv: ({ states }: TeamUse) => (isUsed(states[id]) ? 1 : 0),
                  cell: ({ states }: TeamUse) => <Use state={states[id]} />,
                })),
              ]}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

/** A part is in use if it has any data about the team, in whatever state. */
function isUsed(state: EntitySummary['state'] | undefined): boolean {
  return state !== undefined && state !== 'unconnected' && state !== 'quiet';
}

function usedBy({ states }: TeamUse, parts: readonly EntityPart[]): number {
  return parts.filter(({ id }) => isUsed(states[id])).length;
}

function Use({ state }: { state: EntitySummary['state'] | undefined }) {
  const { t } = useTranslationRef(appTranslationRef);
  if (state === undefined) {
    return <>{t('admin.adoption.unknown')}</>;
  }
  return isUsed(state) ? (
    <StatusBadge tone="success" label={t('admin.adoption.yes')} />
  ) : (
    <StatusBadge tone="neutral" label={t('admin.adoption.no')} />
  );
}

/** Shows how many people opened a page of the portal. */
function People() {
  const { t } = useTranslationRef(appTranslationRef);
  const { data } = useServiceQuery(
    adminApiRef,
    ['people'],
    api => Promise.all(PERIODS.map(days => api.people(days))),
    { staleTime: FRESH_MS },
  );
  return (
    <p className="slw-AdminNote">
      {data &&
        t('admin.adoption.people', {
          week: String(data[0]),
          month: String(data[1]),
        })}
    </p>
  );
}

/** Queries all parts about the first teams by name, a few at a time, and counts all teams. */
function useTeams() {
  const catalogApi = useApi(catalogApiRef);
  return useServiceQuery(
    entityPartsApiRef,
    ['adoption'],
    async api => {
      const { items, totalItems } = await catalogApi.queryEntities({
        filter: { kind: 'group', 'spec.type': 'team' },
        fields: ['kind', 'metadata', 'spec.profile'],
        orderFields: [{ field: 'metadata.name', order: 'asc' }],
        limit: MAX_TEAMS,
      });
      const teams: TeamUse[] = [];
      const waiting = [...items];
      // A slow response delays only one of the teams that are queried at a time.
      const queryTeams = async () => {
        for (let team = waiting.shift(); team; team = waiting.shift()) {
          teams.push(await readTeam(team, api));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, queryTeams));
      return {
        // The catalog orders by name, but the page shows titles.
        teams: teams.toSorted((one, other) =>
          one.name.localeCompare(other.name),
        ),
        total: totalItems,
      };
    },
    { staleTime: FRESH_MS },
  );
}

/** Queries all parts about a team. */
async function readTeam(
  entity: Entity,
  api: Pick<EntityPartsApi, 'list' | 'summary'>,
): Promise<TeamUse> {
  const { ref, name } = toRow(entity);
  const states = await Promise.all(
    api.list().map(async part => [
      part.id,
      await api.summary(part, ref).then(
        ({ state }) => state,
        () => undefined,
      ),
    ]),
  );
  return { ref, name, states: Object.fromEntries(states) };
}
