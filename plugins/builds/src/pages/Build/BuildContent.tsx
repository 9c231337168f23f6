import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel, StepList } from '@slipway/design-system';
import type { BuildRef } from '../../api/BuildsApi';
import type { BuildDetails, BuildStep, JobDetails } from '../../api/types';
import { LogViewer } from '../../log/LogViewer';
import { buildsTranslationRef } from '../../translation';
import { BuildFacts } from './BuildFacts';
import { ChangeList } from './ChangeList';
import { TestResults } from './TestResults';
import styles from './Build.module.css';

/** Everything of a build: the log large, what it is about beside it. */
export function BuildContent(props: {
  build: BuildRef;
  details: BuildDetails;
  /** Missing until it is read. */
  job: JobDetails | undefined;
}) {
  const { build, details, job } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const names = { job: build.job, number: String(build.number) };
  return (
    <div className={styles.layout}>
      <div className={styles.main}>
        {details.tests && <TestResults tests={details.tests} />}
        <Panel title={t('build.log')} padded={false}>
          <LogViewer build={build} label={t('build.logLabel', names)} />
        </Panel>
      </div>
      <div className={styles.side}>
        <Panel title={t('build.steps')}>
          <StepList
            label={t('build.title', names)}
            steps={details.steps.map(toStep)}
          />
        </Panel>
        <BuildFacts details={details} repository={job?.repository} />
        <ChangeList
          items={details.changeSet.items}
          repository={job?.repository}
        />
      </div>
    </div>
  );
}

function toStep(step: BuildStep, index: number) {
  return {
    id: String(index),
    title: step.name,
    state: step.state,
    message: step.message,
    startedAt: timeOf(step.startedAt),
    endedAt: timeOf(step.finishedAt),
  };
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
