import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  EmptyState,
  LoadingBlock,
  Page,
  PageHeader,
  Panel,
  usePanelTitle,
} from '@slipway/design-system';
import { useNavigate, useParams } from 'react-router-dom';
import type {
  BuildDetails,
  BuildRef,
  JobDetails,
  QueueItem,
} from '../api/BuildsApi';
import {
  IsolationWarning,
  KeptMark,
  nameOfBuild,
  NoSuchJob,
  ResultBadge,
} from '../components/BuildState';
import { PipelineFaults } from '../components/FileFaults';
import { useLogAddress } from '../log/address';
import { LogViewer } from '../log/LogViewer';
import { useBuild, useCancelItem, useJobOfBuild, useQueue } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef, type Translate } from '../translation';
import { BuildActions } from './BuildActions';
import { Artifacts } from './Artifacts';
import { Approvals } from './Approvals';
import { BuildFacts, ChangeList } from './BuildFacts';
import { Failing } from './Failing';
import { forkAt } from './forgePages';
import { StageGraph } from './StageGraph';
import { arrangeStages } from './stages';
import { Tests } from './Tests';
import styles from './BuildPage.module.css';

/** Page of one build: its state, its log and the actions on it. */
export function BuildPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const params = useParams();
  const build: BuildRef = {
    job: params.job ?? '',
    number: Number(params.number),
  };
  const names = { job: build.job, number: String(params.number) };
  // Resets input and dialogs when another build is opened.
  const key = `${build.job} ${build.number}`;
  const links = useLinks();
  const query = useBuild(build);
  const { data } = query;
  const jobQuery = useJobOfBuild(build.job);
  const { data: job } = jobQuery;
  const shownJob = job?.name ?? build.job;
  const name = data && nameOfBuild(data);
  return (
    <Page
      header={
        <PageHeader
          title={
            name === undefined
              ? t('build.title', names)
              : t('build.named', { ...names, name })
          }
          description={data?.reason ?? data?.cause}
          breadcrumbs={[
            { label: t('page.title'), href: links.jobs },
            { label: shownJob, href: links.job(shownJob) },
          ]}
          status={
            data && (
              <>
                <ResultBadge build={data} />
                <KeptMark build={data} />
              </>
            )
          }
          action={
            query.isPending || (data && jobQuery.isPending) ? (
              <span className={styles.actionsRoom} />
            ) : (
              data &&
              job && <BuildActions build={build} details={data} job={job} />
            )
          }
          isLoading={query.isPending}
        />
      }
    >
      <IsolationWarning />
      <Loaded
        query={query}
        failed={t('build.failed', names)}
        loading={
          <LoadingBlock label={t('build.loading', names)} height={320} />
        }
        missing={<NoBuild key={key} build={build} job={job} />}
      >
        {details => (
          <BuildContent key={key} build={build} details={details} job={job} />
        )}
      </Loaded>
    </Page>
  );
}

/**
 * Content of a build's page: the large log, with the build's details in a side column.
 */
function BuildContent(props: {
  build: BuildRef;
  details: BuildDetails;
  /** Missing until it is loaded. */
  job: JobDetails | undefined;
}) {
  const { build, details, job } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const names = { job: build.job, number: String(build.number) };
  const step = useLogAddress()?.step ?? 0;
  usePanelTitle(details.steps[step - 1]?.name);
  const repository = forkAt(job?.repository, details.pullRequest?.fork);
  // Steps in a single column are shown as a list, which takes no more room than the details.
  const isGraph = arrangeStages(details.steps)?.some(
    ({ column }) => column > 0,
  );
  return (
    <div className={styles.layout} data-graph={isGraph || undefined}>
      <div className={styles.steps}>
        <Panel title={t('build.steps')}>
          <StageGraph label={t('build.steps')} steps={details.steps} />
        </Panel>
      </div>
      <div className={styles.main}>
        <PipelineFaults build={details} />
        <Approvals build={build} isRunning={details.building} />
        {details.tests && <Tests build={build} summary={details.tests} />}
        <Artifacts build={build} artifacts={details.artifacts} />
        <Panel title={t('build.log')} padded={false}>
          <LogViewer
            build={build}
            label={t('build.logLabel', names)}
            steps={details.steps}
          />
        </Panel>
      </div>
      <div className={styles.side}>
        <BuildFacts job={build.job} details={details} repository={repository} />
        <ChangeList items={details.changeSet.items} repository={repository} />
        {/* Last, because the job is loaded last. */}
        {job?.name === build.job && isFailed(details) && (
          <Failing job={job} repository={repository} upTo={build.number} />
        )}
      </div>
    </div>
  );
}

function isFailed({ result }: BuildDetails): boolean {
  return result === 'FAILURE' || result === 'UNSTABLE';
}

/** Shown if a build does not exist: usually it is still queued, and this says why. */
function NoBuild(props: {
  build: BuildRef;
  /** Missing until it is loaded. */
  job: JobDetails | undefined;
}) {
  const { build } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const names = { job: build.job, number: String(build.number) };
  return (
    <Loaded
      query={useQueue()}
      failed={t('build.failed', names)}
      loading={<LoadingBlock label={t('build.loading', names)} height={320} />}
    >
      {items => {
        const waiting = items.find(
          ({ task, buildNumber }) =>
            task.name === build.job && buildNumber === build.number,
        );
        return waiting ? (
          <WaitingBuild {...props} waiting={waiting} />
        ) : (
          <NoSuchJob />
        );
      }}
    </Loaded>
  );
}

/** Says why a build waits in the queue, from which it can be removed. */
function WaitingBuild(props: {
  build: BuildRef;
  job: JobDetails | undefined;
  waiting: QueueItem;
}) {
  const { build, job, waiting } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutateAsync } = useCancelItem();
  const errorWords = useErrorWords();
  const navigate = useNavigate();
  const links = useLinks();
  const [isAsking, setIsAsking] = useState(false);
  const names = { job: build.job, number: String(build.number) };
  return (
    <>
      <EmptyState
        title={t('build.waitingTitle', names)}
        description={describeWait(waiting, t)}
        action={
          job?.triggerable && (
            <Button variant="secondary" onPress={() => setIsAsking(true)}>
              {t('queue.remove')}
            </Button>
          )
        }
      />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('queue.removeOneTitle', { build: t('queue.item', names) })}
        confirmLabel={t('queue.removeOne')}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(waiting.id);
          navigate(links.job(job?.name ?? build.job));
        }}
      >
        {t('queue.removeOneText')}
      </ConfirmDialog>
    </>
  );
}

function describeWait({ why, position }: QueueItem, t: Translate): string {
  return position === null
    ? t('build.waitingDescription', { why: why ?? '' })
    : t('build.waitingAt', { why: why ?? '', position: String(position) });
}
