import { mockApis } from '@backstage/frontend-test-utils';
import { type Translate, deliveryLakeTranslationRef } from '../translation';

/** Returns the plugin's translations, for use outside of a component. */
export function createTestTranslate(): Translate {
  const { ready, t } = mockApis
    .translation()
    .getTranslation(deliveryLakeTranslationRef) as {
    ready: boolean;
    t?: Translate;
  };
  if (!ready || !t) {
    throw new Error('The texts are not loaded');
  }
  return t;
}
