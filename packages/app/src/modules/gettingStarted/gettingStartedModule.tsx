import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';

const card = HomePageWidgetBlueprint.make({
  name: 'getting-started',
  params: {
    name: 'GettingStarted',
    components: () =>
      import(/* webpackChunkName: "home" */ './GettingStarted').then(m => ({
        Content: m.GettingStarted,
        Renderer: ({ Content }: { Content: () => JSX.Element }) => <Content />,
      })),
  },
});

/** The card with the first steps on the home page. */
export const gettingStartedModule = createFrontendModule({
  pluginId: 'home',
  extensions: [card],
});
