import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { SidePanel } from '@slipway/design-system';
import { type ActorsSource, peopleApiRef } from '../api/PeopleApi';
import type { SelectedNumber } from '../insights/selection';
import { analyticsTranslationRef } from '../translation';
import { ActorList } from './ActorList';
import { AddToList } from './AddToList';
import { useActorsTitle } from './actorsTitle';
import { MOST_ACTORS, readActors } from './readActors';
import { SaveCohort } from './SaveCohort';
import styles from '../analytics.module.css';

/** Ways of counting whose numbers are numbers of distinct users. */
const OF_USERS: ReadonlySet<string> = new Set([
  'dau',
  'monthly_active',
  'weekly_active',
]);

/** Lists the users behind a number of an insight, with links to their pages. */
export function ActorsPanel(props: {
  projectId: string;
  selected: SelectedNumber;
  onClose(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, selected, onClose } = props;
  const { of } = selected;
  const title = useActorsTitle(selected);
  const people = useApi(peopleApiRef);
  return (
    <SidePanel title={title} onClose={onClose}>
      <div className={styles.stack}>
        {!countsUsers(of) && (
          <p className={styles.text}>
            {t(
              of.source.kind === 'PathsQuery'
                ? 'actors.distinctOfVisits'
                : 'actors.distinct',
            )}
          </p>
        )}
        <ActorList
          // Start with the first page when the number changes.
          key={JSON.stringify(of)}
          projectId={projectId}
          of={of}
          title={title}
          actions={({ search, total }) => (
            <>
              <SaveCohort
                projectId={projectId}
                of={of}
                search={search}
                name={title}
              />
              {total <= MOST_ACTORS && (
                <AddToList
                  projectId={projectId}
                  readIds={async () =>
                    (await readActors(people, projectId, { of, search })).map(
                      ({ id }) => id,
                    )
                  }
                />
              )}
            </>
          )}
        />
      </div>
    </SidePanel>
  );
}

/**
 * Checks whether a number counts distinct users, as opposed to events, visits or an
 * average. The result of a formula is never selected.
 */
function countsUsers({ source, series = 0 }: ActorsSource): boolean {
  if (source.kind === 'PathsQuery') {
    return false;
  }
  return (
    source.kind !== 'TrendsQuery' ||
    (OF_USERS.has(source.series?.[series]?.math ?? 'total') &&
      (source.trendsFilter?.smoothingIntervals ?? 1) === 1)
  );
}
