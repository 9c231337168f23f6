import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { ChangeRequest } from '../api/changeRequests';
import { useLinks } from '../routes';
import { flagsTranslationRef } from '../translation';
import styles from '../pages/Flag/Flag.module.css';

/** A message that a change needs approval, with a link to the change request. */
export function Requested({ request }: { request: ChangeRequest }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  return (
    <p className={styles.quiet} role="status">
      {t('request.sent')}{' '}
      <Link href={links.requests}>
        {t('request.name', { id: String(request.id) })}
      </Link>
    </p>
  );
}
