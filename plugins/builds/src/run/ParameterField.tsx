import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, Switch, TextAreaField, TextField } from '@backstage/ui';
import type { ParameterDefinition } from '../api/BuildsApi';
import { buildsTranslationRef, type Translate } from '../translation';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Returns the initial value of a field; a switch without a default is off. */
export function initialOf({
  type,
  defaultParameterValue,
}: ParameterDefinition): string {
  const none = type === 'BooleanParameterDefinition' ? 'false' : '';
  return defaultParameterValue?.value ?? none;
}

/** Returns what is wrong with a value, in words for people; undefined if nothing is. */
export function faultOf(
  { name, kind, required, ...bounds }: ParameterDefinition,
  value: string,
  t: Translate,
): string | undefined {
  if (value === '') {
    return required ? t('run.required', { name }) : undefined;
  }
  if (kind !== 'number') {
    return undefined;
  }
  const minimum = bounds.minimum ?? -Infinity;
  const maximum = bounds.maximum ?? Infinity;
  if (!NUMBER.test(value)) {
    return t('run.number', { name });
  }
  if (Number(value) < minimum) {
    return t('run.minimum', { name, minimum: String(minimum) });
  }
  return Number(value) > maximum
    ? t('run.maximum', { name, maximum: String(maximum) })
    : undefined;
}

/** Form field for a parameter of a job. */
export function ParameterField(props: {
  definition: ParameterDefinition;
  value: string;
  onChange(value: string): void;
  /** True after the first attempt to submit. */
  isChecked: boolean;
}) {
  const { definition, value, onChange, isChecked } = props;
  const { name, type, kind, description, required } = definition;
  const { choices = [] } = definition;
  const { t } = useTranslationRef(buildsTranslationRef);
  if (type === 'BooleanParameterDefinition') {
    return (
      <Switch
        label={description ? `${name}: ${description}` : name}
        isSelected={value === 'true'}
        onChange={isSelected => onChange(String(isSelected))}
      />
    );
  }
  if (type === 'ChoiceParameterDefinition') {
    return (
      <Select
        label={name}
        description={description || undefined}
        value={value}
        onChange={key => key !== null && onChange(String(key))}
        options={choices.map(choice => ({ id: choice, label: choice }))}
      />
    );
  }
  const Field = kind === 'text' ? TextAreaField : TextField;
  return (
    <Field
      label={name}
      description={description || undefined}
      isRequired={required}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      value={value}
      onChange={onChange}
      // Errors appear after the first attempt to submit; native validation would block
      // the form.
      validationBehavior="aria"
      validate={() => !isChecked || (faultOf(definition, value, t) ?? true)}
    />
  );
}
