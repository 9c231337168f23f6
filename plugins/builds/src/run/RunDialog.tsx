import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, Switch, TextField } from '@backstage/ui';
import { RiPlayLine } from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import type { JobSummary, ParameterDefinition } from '../api/BuildsApi';
import { useRunJob } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import styles from './run.module.css';

/** Opens the dialog that runs a job; nothing for those who may not. */
export function RunButton(props: {
  job: JobSummary;
  /** Small, in a row of a table. */
  isInRow?: boolean;
}) {
  const { job, isInRow = false } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  if (!job.triggerable) {
    return null;
  }
  return (
    <>
      <Button
        size={isInRow ? 'small' : 'medium'}
        variant={isInRow ? 'tertiary' : 'primary'}
        iconStart={<RiPlayLine />}
        aria-label={isInRow ? t('jobs.runJob', { job: job.name }) : undefined}
        onPress={() => setIsOpen(true)}
      >
        {t(isInRow ? 'jobs.run' : 'job.run')}
      </Button>
      {isOpen && <RunDialog job={job} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Asks for the parameters of a job, queues a build and goes to its page. */
function RunDialog(props: { job: JobSummary; onClose(): void }) {
  const { job, onClose } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const navigate = useNavigate();
  const links = useLinks();
  const definitions = job.parameterDefinitions;
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      definitions.map(definition => [definition.name, initialOf(definition)]),
    ),
  );
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useRunJob();
  const isComplete = definitions.every(
    ({ name, required }) => !required || values[name] !== '',
  );

  const onSubmit = () => {
    setIsChecked(true);
    if (isComplete) {
      mutate(
        { job: job.name, parameters: values },
        {
          onSuccess: item => navigate(links.build(job.name, item.buildNumber)),
        },
      );
    }
  };

  return (
    <OpenDialog
      title={t('run.title', { job: job.name })}
      onClose={onClose}
      width={520}
    >
      <DialogForm
        submitLabel={t('run.submit')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        <p className={styles.intro}>
          {t(definitions.length > 0 ? 'run.intro' : 'run.plain')}
        </p>
        {error && (
          <SendFailure
            title={t('run.failed', { job: job.name })}
            error={error}
          />
        )}
        {definitions.map(definition => (
          <ParameterField
            key={definition.name}
            definition={definition}
            value={values[definition.name]}
            onChange={value =>
              setValues(before => ({ ...before, [definition.name]: value }))
            }
            isChecked={isChecked}
          />
        ))}
      </DialogForm>
    </OpenDialog>
  );
}

/** What a field shows at first; a switch without a default is off, and says so. */
function initialOf({
  type,
  defaultParameterValue,
}: ParameterDefinition): string {
  const none = type === 'BooleanParameterDefinition' ? 'false' : '';
  return defaultParameterValue?.value ?? none;
}

/** One parameter of a job, to fill in. */
function ParameterField(props: {
  definition: ParameterDefinition;
  value: string;
  onChange(value: string): void;
  /** True once sending was tried. */
  isChecked: boolean;
}) {
  const { definition, value, onChange, isChecked } = props;
  const { name, type, description, required, choices = [] } = definition;
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
  return (
    <TextField
      label={name}
      description={description || undefined}
      isRequired={required}
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
