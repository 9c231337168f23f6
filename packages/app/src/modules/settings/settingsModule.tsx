import { createFrontendModule } from '@backstage/frontend-plugin-api';
import userSettingsPlugin from '@backstage/plugin-user-settings/alpha';
import { replaceElement } from '../../elements';

const general = userSettingsPlugin
  .getExtension('sub-page:user-settings/general')
  .override({
    factory: replaceElement(() =>
      import('./GeneralSettings').then(({ GeneralSettings }) => (
        <GeneralSettings />
      )),
    ),
  });

/** The general settings with our components; settings pages of plugins are next to them. */
export const settingsModule = createFrontendModule({
  pluginId: 'user-settings',
  extensions: [general],
});
