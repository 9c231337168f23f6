import { RiPulseLine } from '@remixicon/react';
import type { PaletteSource, SourceContext } from '@slipway/app-react';
import { pulseRouteRef } from './routes';
import { spaceTranslationRef } from './translation';

/** Provides actions to log friction and answer the survey. */
export function spacePalette({ href, texts }: SourceContext): PaletteSource {
  return {
    async list() {
      const t = await texts(spaceTranslationRef);
      const pulse = href(pulseRouteRef);
      return [
        {
          id: 'friction',
          title: t('palette.friction'),
          kind: t('palette.action'),
          keywords: [t('palette.frictionKeywords')],
          icon: <RiPulseLine />,
          act: { type: 'dialog', dialog: 'friction' },
        },
        ...(pulse
          ? [
              {
                id: 'pulse',
                title: t('palette.pulse'),
                kind: t('palette.action'),
                keywords: [t('palette.pulseKeywords')],
                act: { type: 'open' as const, href: pulse },
              },
            ]
          : []),
      ];
    },
  };
}
