import {
  useEntityPresentation,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import styles from './EntityLinks.module.css';

/** Links to entities, by their titles. */
export function EntityLinks({ refs }: { refs: readonly string[] }) {
  return (
    <span className={styles.links}>
      {refs.map(ref => (
        <EntityLink key={ref} entityRef={ref} />
      ))}
    </span>
  );
}

/** A link to an entity, by its title; the reference is shown on hover. */
export function EntityLink({ entityRef }: { entityRef: string }) {
  const linkTo = useEntityRefLink();
  const { primaryTitle } = useEntityPresentation(entityRef);
  return (
    <Link href={linkTo(entityRef)} title={entityRef}>
      {primaryTitle}
    </Link>
  );
}
