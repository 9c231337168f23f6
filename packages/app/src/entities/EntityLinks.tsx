import {
  useEntityPresentation,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import styles from './EntityLinks.module.css';

/**
 * Links to entities, labelled with their titles. In a column, each has its own line, so the height
 * is known before the titles have loaded.
 */
export function EntityLinks(props: {
  refs: readonly string[];
  isColumn?: boolean;
}) {
  const { refs, isColumn = false } = props;
  return (
    <span className={styles.links} data-column={isColumn}>
      {refs.map(ref => (
        <EntityLink key={ref} entityRef={ref} />
      ))}
    </span>
  );
}

/** A link to an entity, labelled with its title; the reference is shown on hover. */
export function EntityLink({ entityRef }: { entityRef: string }) {
  const linkTo = useEntityRefLink();
  const { primaryTitle } = useEntityPresentation(entityRef);
  return (
    <Link href={linkTo(entityRef)} title={entityRef}>
      {primaryTitle}
    </Link>
  );
}
