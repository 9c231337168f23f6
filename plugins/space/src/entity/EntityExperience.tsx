import { useEntity } from '@backstage/plugin-catalog-react';
import { useView } from '../components/SpaceFilterBar';
import { Dimensions } from '../pages/Overview/OverviewPage';

/** The experience of a team, as a tab of its page. */
export function EntityExperience() {
  const { entity } = useEntity();
  const { namespace = 'default', name } = entity.metadata;
  const team = namespace === 'default' ? name : `${namespace}/${name}`;
  return <Dimensions view={useView(team.toLocaleLowerCase('en-US'))} />;
}
