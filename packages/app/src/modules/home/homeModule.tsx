import type { JSX } from 'react';
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

const BareCard = ({ Content }: { Content: () => JSX.Element }) => <Content />;

/**
 * Creates the extension for a home page card that renders its own panel; Backstage's default frame
 * would nest it in a second one.
 */
function bareWidget(options: {
  /** The extension's name: `inbox` in `home-page-widget:home/inbox`. */
  name: string;
  /** Loads the card when the page is opened. */
  load(): Promise<() => JSX.Element>;
}) {
  const { name, load } = options;
  return HomePageWidgetBlueprint.make({
    name,
    params: {
      name,
      components: async () => ({
        Content: await load(),
        Renderer: BareCard,
      }),
    },
  });
}

const gettingStarted = bareWidget({
  name: 'getting-started',
  load: () =>
    import(
      /* webpackChunkName: "home" */ '../gettingStarted/GettingStarted'
    ).then(m => m.GettingStarted),
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
  extensions: [
    layout,
    inboxApi,
    gettingStarted,
    inbox,
    activity,
    ownedCard,
    starredCard,
  ],
});
