import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Checkbox } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { Panel } from '@slipway/design-system';
import type { Project, PropertyFilter } from '../api/EventsApi';
import { useCohorts } from '../cohorts/cohortQueries';
import { operatorText } from '../filters/ConditionGroup';
import { FilterFields } from '../filters/FilterFields';
import { COHORT, isComplete, trimmed } from '../filters/propertyFilters';
import { useChangeProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

const MAX_FILTERS = 20;
const PROPOSED: PropertyFilter = {
  type: 'person',
  key: 'email',
  operator: 'not_icontains',
  value: '',
};

/** Shows how a project defines its test accounts, and lets admins change the definition. */
export function TestAccountsPanel(props: {
  project: Project;
  mayManage: boolean;
}) {
  const { project, mayManage } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Panel title={t('testAccounts.title')}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('testAccounts.text')}</p>
        {mayManage ? (
          <FilterForm key={project.id} project={project} />
        ) : (
          <FilterList project={project} />
        )}
      </div>
    </Panel>
  );
}

function FilterList({ project }: { project: Project }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { filters } = project.testAccounts;
  const { data: cohorts = [] } = useCohorts(
    filters.some(({ type }) => type === COHORT) ? project : undefined,
  );
  const textOf = (filter: PropertyFilter) => {
    const value = [filter.value ?? ''].flat().join(', ');
    if (filter.type !== COHORT) {
      return `${filter.key} ${operatorText(filter, t)} ${value}`;
    }
    const cohort = cohorts.find(({ id }) => String(id) === value);
    const isOutside = filter.operator === 'not_in';
    return `${t(isOutside ? 'cohorts.outside' : 'cohorts.inside')} ${cohort?.name ?? value}`;
  };
  return filters.length === 0 ? (
    <p className={styles.quiet}>{t('testAccounts.none')}</p>
  ) : (
    <ul className={styles.links}>
      {filters.map(filter => (
        <li key={JSON.stringify(filter)}>{textOf(filter)}</li>
      ))}
    </ul>
  );
}

function FilterForm({ project }: { project: Project }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { testAccounts: saved } = project;
  const [filters, setFilters] = useState<PropertyFilter[]>([...saved.filters]);
  const [isDefault, setIsDefault] = useState(saved.isDefault);
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending, isSuccess } = useChangeProject(project.id);
  const isSame =
    JSON.stringify(saved) === JSON.stringify({ filters, isDefault });
  const replace = (at: number, filter: PropertyFilter) =>
    setFilters(filters.map((each, index) => (index === at ? filter : each)));
  const submit = () => {
    setIsChecked(true);
    if (filters.every(isComplete)) {
      const wanted = filters.map(trimmed);
      setFilters(wanted);
      mutate({ testAccounts: { filters: wanted, isDefault } });
    }
  };
  return (
    <>
      {error && (
        <SendFailure title={t('testAccounts.saveFailed')} error={error} />
      )}
      {filters.length === 0 && (
        <p className={styles.quiet}>{t('testAccounts.none')}</p>
      )}
      {filters.map((filter, index) => (
        <FilterFields
          // Filters have no identity other than their position.
          // eslint-disable-next-line react/no-array-index-key
          key={index}
          filter={filter}
          example="@example.com"
          number={index + 1}
          isChecked={isChecked}
          onChange={next => replace(index, next)}
          onRemove={() => setFilters(filters.filter((_, at) => at !== index))}
        />
      ))}
      {filters.length < MAX_FILTERS && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="secondary"
            onPress={() => setFilters([...filters, PROPOSED])}
          >
            {t('testAccounts.add')}
          </Button>
        </div>
      )}
      <Checkbox isSelected={isDefault} onChange={setIsDefault}>
        {t('testAccounts.isDefault')}
      </Checkbox>
      <div className={styles.actions}>
        <Button
          size="small"
          variant="primary"
          isPending={isPending}
          onPress={submit}
        >
          {t('testAccounts.save')}
        </Button>
        <span role="status" className={styles.quiet}>
          {isSuccess && isSame && t('project.saved')}
        </span>
      </div>
    </>
  );
}
