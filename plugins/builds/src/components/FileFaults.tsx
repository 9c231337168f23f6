import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import type { BuildSummary, JobFault } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import styles from './FileFaults.module.css';

/** Lists all errors of a job file or pipeline, with their places. */
export function FileFaults(props: {
  title: string;
  faults: readonly JobFault[];
}) {
  const { title, faults } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  return faults.length === 0 ? null : (
    <Alert
      status="danger"
      icon
      title={title}
      description={
        <ul className={styles.faults}>
          {faults.map(({ message, line, column }) => (
            <li key={`${line} ${column} ${message}`}>
              {t('job.fault', {
                message,
                line: String(line),
                column: String(column),
              })}
            </li>
          ))}
        </ul>
      }
    />
  );
}

/** Lists the errors in each pipeline file of a build's commit. */
export function PipelineFaults({
  build,
}: {
  build: Pick<BuildSummary, 'number' | 'pipelineFaults'> | null;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const faults = build?.pipelineFaults ?? [];
  const files = [...new Set(faults.map(({ file }) => file))];
  return (
    <>
      {files.map(file => (
        <FileFaults
          key={file}
          title={t('build.pipelineFaults', {
            file,
            number: String(build?.number),
          })}
          faults={faults.filter(fault => fault.file === file)}
        />
      ))}
    </>
  );
}
