import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiPlayLine } from '@remixicon/react';
import { type PaletteDialogProps, SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import type { BuildRef, JobSummary, QueueItem } from '../api/BuildsApi';
import { isRunnable } from '../api/types';
import { useJob, useRebuild, useRunJob } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { faultOf, initialOf, ParameterField } from './ParameterField';
import styles from './run.module.css';

/** Button that opens the run dialog; renders nothing if the user cannot run the job. */
export function RunButton({ job }: { job: JobSummary }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  if (!isRunnable(job)) {
    return null;
  }
  return (
    <>
      <Button
        variant="primary"
        iconStart={<RiPlayLine />}
        onPress={() => setIsOpen(true)}
      >
        {t('job.run')}
      </Button>
      {isOpen && <RunDialog job={job} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Collects the parameters of a job, queues a build and navigates to its page. */
export function RunDialog(props: {
  job: JobSummary;
  /** The build to run again: same commit, and the same parameters by default. */
  again?: { build: BuildRef; parameters: Record<string, string> };
  onClose(): void;
}) {
  const { job, again, onClose } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const navigate = useNavigate();
  const links = useLinks();
  const definitions = job.parameterDefinitions;
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      definitions.map(definition => [
        definition.name,
        again?.parameters[definition.name] ?? initialOf(definition),
      ]),
    ),
  );
  const [isChecked, setIsChecked] = useState(false);
  const run = useRunJob();
  const rebuild = useRebuild();
  const { error, isPending } = again ? rebuild : run;
  const isComplete = definitions.every(
    definition => faultOf(definition, values[definition.name], t) === undefined,
  );

  const onSubmit = () => {
    setIsChecked(true);
    if (!isComplete) {
      return;
    }
    const onSuccess = (item: QueueItem) => {
      onClose();
      navigate(links.build(job.name, item.buildNumber));
    };
    if (again) {
      rebuild.mutate({ ...again.build, parameters: values }, { onSuccess });
    } else {
      run.mutate({ job: job.name, parameters: values }, { onSuccess });
    }
  };

  return (
    <OpenDialog
      title={
        again
          ? t('run.againTitle', {
              job: job.name,
              number: String(again.build.number),
            })
          : t('run.title', { job: job.name })
      }
      onClose={onClose}
      width={520}
    >
      <DialogForm
        submitLabel={t('run.submit')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        <p className={styles.intro}>
          {again
            ? t('run.againIntro')
            : t(definitions.length > 0 ? 'run.intro' : 'run.plain')}
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

/** Run dialog of the command palette, for a job given by name. */
export function RunNamedJob({ input = '', onClose }: PaletteDialogProps) {
  const { data } = useJob(input);
  return data ? <RunDialog job={data} onClose={onClose} /> : <></>;
}
