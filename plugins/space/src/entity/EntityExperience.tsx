import { useEntity } from '@backstage/plugin-catalog-react';
import { useView } from '../components/SpaceFilterBar';
import { Dimensions } from '../pages/Overview/OverviewPage';
import styles from '../pages/Overview/Overview.module.css';

/** The experience of a team, as a tab of its page. */
export function EntityExperience() {
  const { entity } = useEntity();
  const { namespace = 'default', name } = entity.metadata;
  const team = namespace === 'default' ? name : `${namespace}/${name}`;
  return (
    <div className={styles.tab}>
      <Dimensions view={useView(team.toLocaleLowerCase('en-US'))} />
    </div>
  );
}
