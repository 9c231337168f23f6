import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { bareWidget } from '../home/bareWidget';

const card = bareWidget({
  name: 'getting-started',
  load: () =>
    import(/* webpackChunkName: "home" */ './GettingStarted').then(
      m => m.GettingStarted,
    ),
});

/** The card with the first steps on the home page. */
export const gettingStartedModule = createFrontendModule({
  pluginId: 'home',
  extensions: [card],
});
