import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';

const signInPage = SignInPageBlueprint.make({
  params: {
    loader: () => import('./SignInPage').then(m => m.SignInPage),
  },
});

/** The sign-in page. */
export const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [signInPage],
});
