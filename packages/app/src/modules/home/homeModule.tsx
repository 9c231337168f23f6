import { createFrontendModule } from '@backstage/frontend-plugin-api';
import {
  HomePageLayoutBlueprint,
  HomePageWidgetBlueprint,
} from '@backstage/plugin-home-react/alpha';

// Our cards are complete panels; the stock frame would nest one in another.
const BareCard = ({ Content }: { Content: () => JSX.Element }) => <Content />;

const layout = HomePageLayoutBlueprint.make({
  params: {
    loader: () =>
      import(/* webpackChunkName: "home" */ './HomePage').then(m => m.HomePage),
  },
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
  extensions: [layout, inbox, ownedCard, starredCard],
});
