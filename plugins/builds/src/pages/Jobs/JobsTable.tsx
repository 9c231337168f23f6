import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Cell,
  Column,
  Link,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  VisuallyHidden,
  useBreakpoint,
} from '@backstage/ui';
import { RelativeTime, TableFrame } from '@slipway/design-system';
import type { JobSummary } from '../../api/types';
import { BuildDuration } from '../../components/BuildDuration';
import { ResultBadge } from '../../components/ResultBadge';
import { useLinks } from '../../data/useLinks';
import { RunButton } from '../../run/RunButton';
import { buildsTranslationRef } from '../../translation';
import { RecentBuilds } from './RecentBuilds';
import styles from './Jobs.module.css';

type ColumnId = 'job' | 'result' | 'last' | 'duration' | 'recent' | 'run';

const WIDE: ColumnId[] = ['job', 'result', 'last', 'duration', 'recent', 'run'];
/** On a phone: what, and how it went. */
const NARROW: ColumnId[] = ['job', 'result', 'run'];

/** Jobs by name. */
export function JobsTable({ jobs }: { jobs: readonly JobSummary[] }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : WIDE).map(id => ({ id })),
    [isNarrow],
  );
  const items = useMemo(() => jobs.map(job => ({ id: job.name, job })), [jobs]);
  return (
    <TableFrame>
      <TableRoot aria-label={t('jobs.label')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'job'}
              className={`${styles[`${id}Column`]} ${
                id === 'duration' ? styles.number : ''
              }`}
            >
              {id === 'run' ? (
                <VisuallyHidden>{t('jobs.run')}</VisuallyHidden>
              ) : (
                t(`jobs.${id}`)
              )}
            </Column>
          )}
        </TableHeader>
        <TableBody items={items} dependencies={[columns, items, t]}>
          {({ id: name, job }) => (
            <Row id={name} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell
                  textValue={id === 'job' ? name : undefined}
                  className={id === 'duration' ? styles.number : undefined}
                >
                  <JobCell column={id} job={job} />
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </TableFrame>
  );
}

function JobCell({ column, job }: { column: ColumnId; job: JobSummary }) {
  const links = useLinks();
  const { lastBuild } = job;
  switch (column) {
    case 'job':
      return (
        <div className={styles.job}>
          <Link href={links.job(job.name)}>{job.name}</Link>
          {job.description && <span>{job.description}</span>}
        </div>
      );
    case 'result':
      return <ResultBadge build={lastBuild} />;
    case 'last':
      return lastBuild ? (
        <span className={styles.last}>
          <Link href={links.build(job.name, lastBuild.number)}>
            #{lastBuild.number}
          </Link>
          <RelativeTime value={new Date(lastBuild.timestamp).toISOString()} />
        </span>
      ) : null;
    case 'duration':
      return lastBuild && <BuildDuration build={lastBuild} />;
    case 'recent':
      return <RecentBuilds job={job} />;
    default:
      return <RunButton job={job} isInRow />;
  }
}
