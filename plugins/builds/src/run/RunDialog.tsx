import { type FormEvent, useId, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { useNavigate } from 'react-router-dom';
import { SendFailure } from '@slipway/app-react';
import type { JobSummary, ParameterDefinition } from '../api/types';
import { useRunJob } from '../data/useActions';
import { useLinks } from '../data/useLinks';
import { buildsTranslationRef } from '../translation';
import { ParameterField } from './ParameterField';
import styles from './run.module.css';

/** Asks for the parameters of a job, queues a build and goes to its page. */
export function RunDialog(props: { job: JobSummary; onClose(): void }) {
  const { job, onClose } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const formId = useId();
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

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isComplete && !isPending) {
      mutate(
        { job: job.name, parameters: values },
        {
          onSuccess: item => navigate(links.build(job.name, item.buildNumber)),
        },
      );
    }
  };

  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      width="min(520px, calc(100vw - 32px))"
    >
      <DialogHeader>{t('run.title', { job: job.name })}</DialogHeader>
      <DialogBody>
        <form
          id={formId}
          className={styles.form}
          onSubmit={onSubmit}
          noValidate
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
        </form>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" slot="close">
          {t('run.cancel')}
        </Button>
        <Button
          variant="primary"
          type="submit"
          form={formId}
          isPending={isPending}
        >
          {t('run.submit')}
        </Button>
      </DialogFooter>
    </Dialog>
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
