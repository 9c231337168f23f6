import { Link } from '@backstage/ui';
import { commitUrl } from './commitUrl';

/** A commit by its first characters; leads to the forge where that is known. */
export function Commit(props: {
  id: string;
  /** The address that is cloned. */
  repository: string | null | undefined;
}) {
  const { id, repository } = props;
  const url = commitUrl(repository, id);
  const text = <code title={id}>{id.slice(0, 10)}</code>;
  return url ? (
    <Link href={url} target="_blank" rel="noreferrer">
      {text}
    </Link>
  ) : (
    text
  );
}
