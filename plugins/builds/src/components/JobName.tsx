import { Link } from '@backstage/ui';
import type { JobSummary } from '../api/BuildsApi';
import { useLinks } from '../routes';
import styles from './JobName.module.css';

/** Link to a job in a table, above the title of its pull request or its description. */
export function JobName(props: {
  job: JobSummary;
  /** Shown instead of its whole name. */
  name?: string;
  text: string | null;
}) {
  const { job, name = job.name, text } = props;
  const links = useLinks();
  return (
    <div className={styles.job}>
      <Link href={links.job(job.name)}>{name}</Link>
      {text && <span title={text}>{text}</span>}
    </div>
  );
}
