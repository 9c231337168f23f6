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
  useBreakpoint,
} from '@backstage/ui';
import { RelativeTime, TableFrame } from '@slipway/design-system';
import type { BuildSummary, JobDetails } from '../../api/types';
import { BuildDuration } from '../../components/BuildDuration';
import { ResultBadge } from '../../components/ResultBadge';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';
import styles from './Job.module.css';

type ColumnId = 'build' | 'result' | 'started' | 'duration' | 'cause';

const WIDE: ColumnId[] = ['build', 'result', 'started', 'duration', 'cause'];
const NARROW: ColumnId[] = ['build', 'result', 'started'];

/** Builds of a job, newest first. */
export function BuildsTable({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : WIDE).map(id => ({ id })),
    [isNarrow],
  );
  const items = useMemo(
    () => job.builds.map(build => ({ id: build.number, build })),
    [job.builds],
  );
  return (
    <TableFrame>
      <TableRoot aria-label={t('job.history')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'build'}
              className={`${styles[`${id}Column`]} ${
                id === 'duration' ? styles.number : ''
              }`}
            >
              {t(`job.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={items} dependencies={[columns, items, links]}>
          {({ id: number, build }) => (
            <Row id={number} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell
                  textValue={id === 'build' ? `#${number}` : undefined}
                  className={id === 'duration' ? styles.number : undefined}
                >
                  <BuildCell
                    column={id}
                    build={build}
                    href={links.build(job.name, number)}
                  />
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </TableFrame>
  );
}

function BuildCell(props: {
  column: ColumnId;
  build: BuildSummary;
  href: string;
}) {
  const { column, build, href } = props;
  switch (column) {
    case 'build':
      return <Link href={href}>#{build.number}</Link>;
    case 'result':
      return <ResultBadge build={build} />;
    case 'started':
      return <RelativeTime value={new Date(build.timestamp).toISOString()} />;
    case 'duration':
      return <BuildDuration build={build} />;
    default:
      return (
        <div className={styles.cause}>
          {build.cause}
          {build.reason && <span>{build.reason}</span>}
        </div>
      );
  }
}
