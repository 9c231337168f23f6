import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonLink, DialogBody, DialogFooter } from '@backstage/ui';
import { Done } from '@slipway/design-system';
import type { Cohort } from '../api/CohortsApi';
import { analyticsTranslationRef } from '../translation';

/** The content of a dialog that has put users into a cohort: says so, and links to the cohort. */
export function CohortDone(props: {
  projectId: string;
  cohort: Cohort;
  /** What was done. */
  text: string;
}) {
  const { projectId, cohort, text } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const address = new URLSearchParams({
    project: projectId,
    cohort: String(cohort.id),
  });
  return (
    <>
      <DialogBody>
        <Done>{text}</Done>
      </DialogBody>
      <DialogFooter>
        <Button slot="close" variant="secondary">
          {t('settings.done')}
        </Button>
        <ButtonLink variant="primary" href={`/analytics/cohorts?${address}`}>
          {t('cohorts.open')}
        </ButtonLink>
      </DialogFooter>
    </>
  );
}
