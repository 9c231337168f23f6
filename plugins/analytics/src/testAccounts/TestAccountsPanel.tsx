import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Checkbox, Select, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { Panel } from '@slipway/design-system';
import type { Project, PropertyFilter } from '../api/EventsApi';
import { useChangeProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

const OPERATORS = [
  'not_icontains',
  'icontains',
  'is_not',
  'exact',
  'not_regex',
  'regex',
  'is_set',
  'is_not_set',
] as const;
const TYPES = ['person', 'event'] as const;
const MAX_FILTERS = 20;
const PROPOSED: PropertyFilter = {
  type: 'person',
  key: 'email',
  operator: 'not_icontains',
  value: '',
};

/** Shows what a project's test accounts are, and lets admins change it. */
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
          <FilterList filters={project.testAccounts.filters} />
        )}
      </div>
    </Panel>
  );
}

function FilterList({ filters }: { filters: readonly PropertyFilter[] }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return filters.length === 0 ? (
    <p className={styles.quiet}>{t('testAccounts.none')}</p>
  ) : (
    <ul className={styles.links}>
      {filters.map(filter => (
        <li key={JSON.stringify(filter)}>
          {`${filter.key} ${operatorText(filter, t)} ${[filter.value ?? ''].flat().join(', ')}`}
        </li>
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
          // Filters have no identity but their place.
          // eslint-disable-next-line react/no-array-index-key
          key={index}
          filter={filter}
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

function FilterFields(props: {
  filter: PropertyFilter;
  number: number;
  isChecked: boolean;
  onChange(filter: PropertyFilter): void;
  onRemove(): void;
}) {
  const { filter, number, isChecked, onChange, onRemove } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { type = 'event', key, operator = 'exact', value } = filter;
  const has = takesValue(filter);
  return (
    <div
      className={styles.form}
      role="group"
      aria-label={t('testAccounts.filterNumber', { number: String(number) })}
    >
      <Select
        size="small"
        label={t('testAccounts.type')}
        value={type}
        onChange={next => onChange({ ...filter, type: String(next) })}
        options={withOwn(TYPES, type).map(each => ({
          value: each,
          label: isOneOf(TYPES, each) ? t(`testAccounts.types.${each}`) : each,
        }))}
      />
      <TextField
        size="small"
        label={t('testAccounts.key')}
        value={key}
        maxLength={400}
        isInvalid={isChecked && key.trim() === ''}
        onChange={next => onChange({ ...filter, key: next })}
      />
      <Select
        size="small"
        label={t('testAccounts.operator')}
        value={operator}
        onChange={next => onChange({ ...filter, operator: String(next) })}
        options={withOwn(OPERATORS, operator).map(each => ({
          value: each,
          label: operatorText({ operator: each }, t),
        }))}
      />
      {has && (
        <TextField
          size="small"
          label={t('testAccounts.value')}
          placeholder="@example.com"
          value={[value ?? ''].flat().join(', ')}
          maxLength={2_000}
          isInvalid={isChecked && !isComplete(filter)}
          onChange={next => onChange({ ...filter, value: next })}
        />
      )}
      <Button
        size="small"
        variant="tertiary"
        aria-label={t('testAccounts.removeNumber', { number: String(number) })}
        onPress={onRemove}
      >
        {t('insight.remove')}
      </Button>
    </div>
  );
}

function operatorText(
  { operator = 'exact' }: { operator?: string },
  t: Translate,
): string {
  return isOneOf(OPERATORS, operator)
    ? t(`testAccounts.operators.${operator}`)
    : operator;
}

function takesValue({ operator }: PropertyFilter): boolean {
  return operator !== 'is_set' && operator !== 'is_not_set';
}

function isComplete(filter: PropertyFilter): boolean {
  const { key, value } = filter;
  const hasValue = [value ?? ''].flat().join('').trim() !== '';
  return key.trim() !== '' && (!takesValue(filter) || hasValue);
}

function trimmed(filter: PropertyFilter): PropertyFilter {
  const { key, value, ...rest } = filter;
  return {
    ...rest,
    key: key.trim(),
    ...(takesValue(filter) && {
      value: typeof value === 'string' ? value.trim() : value,
    }),
  };
}

function isOneOf<T extends string>(all: readonly T[], text: string): text is T {
  return (all as readonly string[]).includes(text);
}

/** Returns the choices, with the present one if a program set another. */
function withOwn(all: readonly string[], own: string): readonly string[] {
  return all.includes(own) ? all : [...all, own];
}
