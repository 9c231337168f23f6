import { RiAddLine, RiToggleFill, RiToggleLine } from '@remixicon/react';
import type {
  ActionSubject,
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { flagsApiRef } from './api/FlagsApi';
import type { FlagEnvironment, ListedFlag } from './api/flags';
import type { FlagUser } from './api/user';
import { mayChangeIn, mayCreate } from './queries/access';
import { changesRouteRef, flagRouteRef } from './routes';
import { flagsTranslationRef, type Translate } from './translation';

/** Adds flags, and turning them on and off, to the palette. */
export function flagsPalette(context: SourceContext): PaletteSource {
  const { api, href, texts } = context;
  const pageOf = (name: string) =>
    href(flagRouteRef, { name: encodeURIComponent(name) });

  const read = async (call: { signal: AbortSignal }) => {
    const client = api(flagsApiRef);
    const [flags, user, t] = await Promise.all([
      client.listFlags({ archived: false }, call),
      client.getUser(call),
      texts(flagsTranslationRef),
    ]);
    return { flags, user, t };
  };

  const toggleOf = (
    flag: ListedFlag,
    place: FlagEnvironment,
    options: {
      user: FlagUser;
      t: Translate;
      /** True to name the environment in the title even if it is the default one. */
      isNamed?: boolean;
    },
  ): PaletteItem => {
    const { user, t, isNamed = false } = options;
    const { name } = flag;
    const { name: environment, enabled, protected: isProtected } = place;
    const client = api(flagsApiRef);
    const isOwn = environment === user.environment;
    const title =
      isOwn && !isNamed
        ? t(enabled ? 'palette.turnOff' : 'palette.turnOn', { name })
        : t(enabled ? 'palette.turnOffIn' : 'palette.turnOnIn', {
            name,
            environment,
          });
    return {
      id: isOwn ? `toggle:${name}` : `toggle:${environment}:${name}`,
      title,
      kind: t('palette.action'),
      // Other environments are named in the title.
      ...(isOwn &&
        !isNamed && { detail: t('palette.inEnvironment', { environment }) }),
      keywords: [t('palette.toggleKeywords')],
      icon: enabled ? <RiToggleLine /> : <RiToggleFill />,
      act: {
        type: 'run',
        ...((isProtected || place.type === 'production') && {
          confirm: {
            title: `${title}?`,
            text: t(
              isProtected ? 'environments.requestText' : 'palette.inProduction',
              { environment },
            ),
            label: isProtected
              ? t('environments.request')
              : t(enabled ? 'palette.off' : 'palette.on'),
          },
        }),
        async run() {
          const request = await client.changeEnvironment(flag, {
            environment,
            enabled: !enabled,
          });
          if (request) {
            const changes = href(changesRouteRef);
            return {
              title: t('palette.requested', { id: String(request.id) }),
              ...(changes && {
                link: { label: t('palette.viewRequest'), href: changes },
              }),
            };
          }
          const page = pageOf(name);
          return {
            title: t(enabled ? 'palette.isOff' : 'palette.isOn', { name }),
            ...(page && { link: { label: t('palette.view'), href: page } }),
            undo: () =>
              client.changeEnvironment(flag, { environment, enabled }),
          };
        },
      },
    };
  };

  return {
    // The list contains all flags except archived ones, so a missing flag is gone.
    isGone: id => id.startsWith('flag:'),

    async list(call) {
      const { flags, user, t } = await read(call);
      const things = flags.flatMap((flag): PaletteItem[] => {
        const page = pageOf(flag.name);
        return page
          ? [
              {
                id: `flag:${flag.name}`,
                title: flag.name,
                kind: t('palette.flag'),
                detail: flag.description,
                keywords: [
                  flag.project,
                  t(isOn(flag, user.environment) ? 'state.on' : 'state.off'),
                ],
                act: { type: 'open', href: page },
              },
            ]
          : [];
      });
      const toggles = flags
        .filter(({ project }) => mayChangeIn(user, project))
        .flatMap(flag =>
          flag.environments.map(place => toggleOf(flag, place, { user, t })),
        );
      return mayCreate(user)
        ? [
            {
              id: 'create',
              title: t('create.open'),
              kind: t('palette.action'),
              keywords: [t('palette.createKeywords')],
              icon: <RiAddLine />,
              act: { type: 'dialog', dialog: 'create' },
            },
            ...things,
            ...toggles,
          ]
        : [...things, ...toggles];
    },

    async actionsFor(subject, call) {
      const name = flagOf(subject);
      if (name === undefined) {
        return [];
      }
      const { flags, user, t } = await read(call);
      return flags
        .filter(flag => flag.name === name && mayChangeIn(user, flag.project))
        .flatMap(flag => {
          const places = subject.failed
            ? suspectedIn(flag.environments)
            : flag.environments;
          const isNamed = subject.failed && places.length > 1;
          return places.map(place =>
            toggleOf(flag, place, { user, t, isNamed }),
          );
        });
    },
  };
}

/** Returns the environments in which a flag is on, production first, where failures matter most. */
function suspectedIn(environments: readonly FlagEnvironment[]) {
  const isProduction = ({ type }: FlagEnvironment) => type === 'production';
  return environments
    .filter(({ enabled }) => enabled)
    .sort((a, b) => Number(isProduction(b)) - Number(isProduction(a)));
}

function isOn({ environments }: ListedFlag, environment: string): boolean {
  return environments.some(
    ({ name, enabled }) => name === environment && enabled,
  );
}

/** Returns the flag of a page such as `/flags/flag/stop-payouts`. */
function flagOf({ kind, page }: ActionSubject): string | undefined {
  const [path] = page.split('?');
  return kind === 'flag'
    ? decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
    : undefined;
}
