import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon, Checkbox, Select, TextField } from '@backstage/ui';
import { RiDeleteBinLine } from '@remixicon/react';
import type { Constraint } from '../api/flags';
import { useContextFields } from '../queries/registers';
import { flagsTranslationRef, type Translate } from '../translation';
import styles from './ConstraintsEditor.module.css';

/** Operators on a list of values. */
const OF_VALUES = [
  'IN',
  'NOT_IN',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'STR_CONTAINS',
  'IN_CIDR',
];

/** Operators on one value. */
const OF_VALUE = [
  ...['EQ', 'GT', 'GTE', 'LT', 'LTE'].map(kind => `NUM_${kind}`),
  'DATE_AFTER',
  'DATE_BEFORE',
  ...['EQ', 'GT', 'GTE', 'LT', 'LTE'].map(kind => `SEMVER_${kind}`),
  'REGEX',
];

/** Operators that can ignore case. */
const OF_CASE = ['STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS', 'REGEX'];

/** Fields with more legal values than this are filled in as text only. */
const MAX_OFFERED = 30;

/** Edits conditions, all of which must hold. */
export function ConstraintsEditor(props: {
  constraints: readonly Constraint[];
  onChange(constraints: readonly Constraint[]): void;
}) {
  const { constraints, onChange } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <div className={styles.list}>
      {constraints.map((constraint, index) => (
        // Constraints have no ids, so their index identifies them.
        <ConstraintRow
          key={index}
          number={index + 1}
          constraint={constraint}
          onChange={changed => onChange(constraints.with(index, changed))}
          onRemove={() => onChange(constraints.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button
          size="small"
          variant="tertiary"
          onPress={() =>
            onChange([
              ...constraints,
              { contextName: 'userId', operator: 'IN', values: [] },
            ])
          }
        >
          {t('constraint.add')}
        </Button>
      </div>
    </div>
  );
}

function ConstraintRow(props: {
  number: number;
  constraint: Constraint;
  onChange(constraint: Constraint): void;
  onRemove(): void;
}) {
  const { number, constraint, onChange, onRemove } = props;
  const { contextName, operator, values = [], value = '' } = constraint;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: fields = [] } = useContextFields();
  const legal = fields
    .find(({ name }) => name === contextName)
    ?.legalValues.map(each => each.value);
  const isOfValue = OF_VALUE.includes(operator);
  const help =
    legal && legal.length > 0
      ? t('constraint.legal', { values: legal.join(', ') })
      : helpOf(operator, t);
  const names = new Set([
    ...fields.map(({ name }) => name),
    // SDKs know it, although it is not in the list.
    'remoteAddress',
    contextName,
  ]);
  const operators = new Set([...OF_VALUES, ...OF_VALUE, operator]);
  return (
    <div className={styles.row}>
      <Select
        label={t('constraint.field')}
        value={contextName}
        onChange={key =>
          key !== null && onChange({ ...constraint, contextName: String(key) })
        }
        options={[...names].map(id => ({ id, label: id }))}
      />
      <Select
        label={t('constraint.operator')}
        value={operator}
        onChange={key =>
          key !== null && onChange(withOperator(constraint, String(key)))
        }
        options={[...operators].map(id => ({ id, label: nameOf(id, t) }))}
      />
      <TextField
        label={t(isOfValue ? 'constraint.value' : 'constraint.values')}
        description={help}
        // Kept as typed, so that a comma at the end is not lost.
        value={isOfValue ? value : values.join(',')}
        onChange={text =>
          onChange(
            isOfValue
              ? { ...constraint, value: text }
              : { ...constraint, values: text === '' ? [] : text.split(',') },
          )
        }
      />
      <ButtonIcon
        variant="tertiary"
        aria-label={t('constraint.remove', { number: String(number) })}
        icon={<RiDeleteBinLine size={16} />}
        onPress={onRemove}
      />
      {legal && !isOfValue && legal.length <= MAX_OFFERED && (
        <LegalValues
          legal={legal}
          values={values.map(each => each.trim())}
          onChange={changed => onChange({ ...constraint, values: changed })}
        />
      )}
      <div className={styles.options}>
        <Checkbox
          isSelected={constraint.inverted ?? false}
          onChange={inverted => onChange({ ...constraint, inverted })}
        >
          {t('constraint.inverted')}
        </Checkbox>
        {OF_CASE.includes(operator) && (
          <Checkbox
            isSelected={constraint.caseInsensitive ?? false}
            onChange={caseInsensitive =>
              onChange({ ...constraint, caseInsensitive })
            }
          >
            {t('constraint.caseInsensitive')}
          </Checkbox>
        )}
      </div>
    </div>
  );
}

/** A choice of a field's legal values, next to the text field. */
function LegalValues(props: {
  legal: readonly string[];
  values: readonly string[];
  onChange(values: string[]): void;
}) {
  const { legal, values, onChange } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    legal.length > 0 && (
      <div
        className={styles.legal}
        role="group"
        aria-label={t('constraint.legalValues')}
      >
        {legal.map(value => (
          <Checkbox
            key={value}
            isSelected={values.includes(value)}
            onChange={isChosen =>
              onChange(
                isChosen
                  ? [...values.filter(each => each !== ''), value]
                  : values.filter(each => each !== value),
              )
            }
          >
            {value}
          </Checkbox>
        ))}
      </div>
    )
  );
}

/** Returns the name of an operator: words and its code, or only the code of an unknown operator. */
function nameOf(operator: string, t: Translate): string {
  return [...OF_VALUES, ...OF_VALUE].includes(operator)
    ? t('constraint.named', {
        words: t(`constraint.operators.${operator as 'IN'}`),
        operator,
      })
    : operator;
}

/** Describes the format of an operator's values. */
function helpOf(operator: string, t: Translate): string | undefined {
  if (operator.startsWith('DATE_')) {
    return t('constraint.dateHelp');
  }
  return OF_VALUE.includes(operator) ? undefined : t('constraint.valuesHelp');
}

/** Changes the operator, and keeps the values as far as possible. */
function withOperator(constraint: Constraint, operator: string): Constraint {
  const { values = [], value, caseInsensitive, ...others } = constraint;
  const operands = value === undefined ? values : [value];
  const keepsCase = caseInsensitive !== undefined && OF_CASE.includes(operator);
  const rest = { ...others, ...(keepsCase && { caseInsensitive }) };
  return OF_VALUE.includes(operator)
    ? { ...rest, operator, value: operands[0] ?? '' }
    : { ...rest, operator, values: operands };
}

/** Removes spaces around values before constraints are saved. */
export function trimmed(constraints: readonly Constraint[]): Constraint[] {
  return constraints.map(constraint => ({
    ...constraint,
    ...(constraint.value !== undefined && { value: constraint.value.trim() }),
    ...(constraint.values && {
      values: constraint.values
        .map(value => value.trim())
        .filter(value => value !== ''),
    }),
  }));
}
