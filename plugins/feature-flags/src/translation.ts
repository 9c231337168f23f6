import {
  type TranslationFunction,
  createTranslationRef,
} from '@backstage/frontend-plugin-api';
import { accessTexts } from './texts/access';
import { changesTexts } from './texts/changes';
import { cleanUpTexts } from './texts/cleanUp';
import { flagTexts } from './texts/flag';
import { listTexts } from './texts/list';
import { noticesTexts } from './texts/notices';
import { playgroundTexts } from './texts/playground';
import { registersTexts } from './texts/registers';
import { rulesTexts } from './texts/rules';

/** Every text of the plugin's pages and dialogs. */
export const flagsTranslationRef = createTranslationRef({
  id: 'feature-flags',
  messages: {
    ...listTexts,
    ...flagTexts,
    ...rulesTexts,
    ...playgroundTexts,
    ...changesTexts,
    ...accessTexts,
    ...noticesTexts,
    ...cleanUpTexts,
    ...registersTexts,
  },
});

/** Translates one of the plugin's texts. */
export type Translate = TranslationFunction<(typeof flagsTranslationRef)['T']>;
