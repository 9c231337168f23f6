import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, Switch, TextAreaField, TextField } from '@backstage/ui';
import type { ParameterDefinition } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';

/** What a field shows at first; a switch without a default is off, and says so. */
export function initialOf({
  type,
  defaultParameterValue,
}: ParameterDefinition): string {
  const none = type === 'BooleanParameterDefinition' ? 'false' : '';
  return defaultParameterValue?.value ?? none;
}

/** One parameter of a job, to fill in. */
export function ParameterField(props: {
  definition: ParameterDefinition;
  value: string;
  onChange(value: string): void;
  /** True once sending was tried. */
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
      // Shown once sending was tried, and never in its way: the form decides.
      validationBehavior="aria"
      validate={() =>
        !isChecked || !required || value !== '' || t('run.required', { name })
      }
    />
  );
}
