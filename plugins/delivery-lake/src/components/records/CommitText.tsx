import type { Deployment } from '@slipway/plugin-delivery-lake-common';
import styles from './records.module.css';

/** The number of digits of a SHA that forges show. */
const SHOWN = 7;

/** A commit as the beginning of its SHA and the first line of its message. */
export function CommitText(props: {
  commit: Pick<Deployment['commit'], 'sha' | 'message'>;
}) {
  const { sha, message } = props.commit;
  const [subject] = message.split('\n');
  return (
    <span className={styles.clipped} title={message}>
      <span className={styles.sha}>{sha.slice(0, SHOWN)}</span> {subject}
    </span>
  );
}
