import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useCohorts } from '../cohorts/cohortQueries';
import { useNames } from '../definitions/definitionQueries';
import { PropertyField, type PropertyName } from '../filters/PropertyField';
import { useGroupProperties } from '../peopleQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import {
  ALL_USERS,
  breakdownsOf,
  type Form,
  hasCohort,
  isCohort,
  mostBreakdowns,
  OF_COHORT,
  OF_USER,
  ofGroup,
  OTHER_USERS,
} from './insightForm';

/**
 * One field for each property or cohort that results are broken down by, and an empty field to add
 * another. Properties are those of events, users and groups.
 */
export function BreakdownFields({ form: { values, set } }: { form: Form }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const properties = usePropertyNames();
  const cohorts = useCohortNames();
  const chosen = breakdownsOf(values);
  const isOfCohorts = chosen.some(isCohort);
  const namesFor = (value: string, index: number) => {
    // "All others" are the users in none of the chosen cohorts, so they need at least one cohort.
    const hasOthers = hasCohort(chosen.filter(each => each !== value));
    const left = cohorts.filter(
      ({ id }) =>
        id === value ||
        (!chosen.includes(id) && (id !== OTHER_USERS || hasOthers)),
    );
    if (index > 0) {
      return isOfCohorts ? left : properties;
    }
    return [...properties, ...left];
  };
  return (
    <>
      {[...chosen, '']
        .slice(0, mostBreakdowns(chosen))
        .map((value, index) => ({ value, names: namesFor(value, index) }))
        .filter(
          ({ value, names }) =>
            value !== '' || !isOfCohorts || names.length > 0,
        )
        .map(({ value, names }, index) => (
          <PropertyField
            // Breakdowns have no identity other than their position.
            // eslint-disable-next-line react/no-array-index-key
            key={index}
            label={
              index === 0
                ? t('trends.by')
                : t('trends.byNumber', { number: String(index + 1) })
            }
            placeholder={t('trends.byNone')}
            value={value}
            names={names}
            isListed={isOfCohorts && index > 0}
            onChange={name => {
              const by = chosen.slice();
              by[index] = name;
              set('by', breakdownsOf({ by: by.join('\n') }).join('\n'));
            }}
          />
        ))}
    </>
  );
}

function usePropertyNames(): (string | PropertyName)[] {
  const { project } = useProject();
  const events = useNames(project?.id, 'event_property');
  const users = useNames(project?.id, 'person');
  const groups = useGroupProperties(project);
  return [
    ...events,
    ...users.map(name => `${OF_USER}${name}`),
    ...groups.flatMap(({ name: type, index, properties }) =>
      properties.map(name => ({
        id: `${ofGroup(index)}${name}`,
        label: `${type}:${name}`,
      })),
    ),
  ];
}

/** Returns the project's cohorts, followed by all users and all others; empty if it has no cohorts. */
function useCohortNames(): PropertyName[] {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: cohorts = [] } = useCohorts(useProject().project);
  return cohorts.length === 0
    ? []
    : [
        ...cohorts.map(({ id, name }) => ({
          id: `${OF_COHORT}${id}`,
          label: t('cohorts.named', { name }),
        })),
        { id: ALL_USERS, label: t('cohorts.everybody') },
        { id: OTHER_USERS, label: t('cohorts.everybodyElse') },
      ];
}
