import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, Switch, TextAreaField, TextField } from '@backstage/ui';
import type { ParameterDefinition } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';

/** Returns the initial value of a field; a switch without a default is off. */
export function initialOf({
  type,
  defaultParameterValue,
}: ParameterDefinition): string {
  const none = type === 'BooleanParameterDefinition' ? 'false' : '';
  return defaultParameterValue?.value ?? none;
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
      validate={() =>
        !isChecked || !required || value !== '' || t('run.required', { name })
      }
    />
  );
}
