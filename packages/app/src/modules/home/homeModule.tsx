import {
  ApiBlueprint,
  createFrontendModule,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { HomePageLayoutBlueprint } from '@backstage/plugin-home-react/alpha';
import { bareWidget } from './bareWidget';
import { InboxClient, inboxApiRef } from './InboxApi';

const layout = HomePageLayoutBlueprint.make({
  params: {
    loader: () =>
      import(/* webpackChunkName: "home" */ './HomePage').then(m => m.HomePage),
  },
});

const inboxApi = ApiBlueprint.make({
  name: 'inbox',
  params: define =>
    define({
      api: inboxApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new InboxClient(deps),
    }),
});

const inbox = bareWidget({
  name: 'inbox',
  load: () =>
    import(/* webpackChunkName: "home" */ './Inbox').then(m => m.Inbox),
});

const activity = bareWidget({
  name: 'activity',
  load: () =>
    import(/* webpackChunkName: "home" */ './Activity').then(m => m.Activity),
});

const ownedCard = bareWidget({
  name: 'owned',
  load: () =>
    import(/* webpackChunkName: "home" */ './EntityCards').then(
      m => m.OwnedCard,
    ),
});

const starredCard = bareWidget({
  name: 'starred',
  load: () =>
    import(/* webpackChunkName: "home" */ './EntityCards').then(
      m => m.StarredCard,
    ),
});

/** The home page, and the cards that belong to no plugin. */
export const homeModule = createFrontendModule({
  pluginId: 'home',
  extensions: [layout, inboxApi, inbox, activity, ownedCard, starredCard],
});
