import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiPlayLine } from '@remixicon/react';
import type { JobSummary } from '../api/types';
import { buildsTranslationRef } from '../translation';
import { RunDialog } from './RunDialog';

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
