import {
  ApiBlueprint,
  createFrontendModule,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import {
  HomePageLayoutBlueprint,
  HomePageWidgetBlueprint,
} from '@backstage/plugin-home-react/alpha';
import { InboxClient, inboxApiRef } from './InboxApi';

// Our cards are complete panels; the stock frame would nest one in another.
const BareCard = ({ Content }: { Content: () => JSX.Element }) => <Content />;

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

const inbox = HomePageWidgetBlueprint.make({
  name: 'inbox',
  params: {
    name: 'Inbox',
    components: () =>
      import(/* webpackChunkName: "home" */ './Inbox').then(m => ({
        Content: m.Inbox,
        Renderer: BareCard,
      })),
  },
});

const activity = HomePageWidgetBlueprint.make({
  name: 'activity',
  params: {
    name: 'Activity',
    components: () =>
      import(/* webpackChunkName: "home" */ './Activity').then(m => ({
        Content: m.Activity,
        Renderer: BareCard,
      })),
  },
});

const ownedCard = HomePageWidgetBlueprint.make({
  name: 'owned',
  params: {
    name: 'OwnedEntities',
    components: () =>
      import(/* webpackChunkName: "home" */ './EntityCards').then(m => ({
        Content: m.OwnedCard,
        Renderer: BareCard,
      })),
  },
});

const starredCard = HomePageWidgetBlueprint.make({
  name: 'starred',
  params: {
    name: 'StarredEntities',
    components: () =>
      import(/* webpackChunkName: "home" */ './EntityCards').then(m => ({
        Content: m.StarredCard,
        Renderer: BareCard,
      })),
  },
});

/** The home page, and the cards that belong to no plugin. */
export const homeModule = createFrontendModule({
  pluginId: 'home',
  extensions: [layout, inboxApi, inbox, activity, ownedCard, starredCard],
});
