import { Config } from '@backstage/config';
import type { ExperienceTarget } from './parts/experiencePart';
import type { Showcase } from './story/Story';

const REFUSAL =
  'The demo organisation is not loaded in production, unless demo.production is true in the configuration';

/** The plugin's configuration, parsed. */
interface DemoConfig {
  /** Reason why the demo cannot be loaded; undefined if admins may load it. */
  refusal: string | undefined;
  /** Entity references of people who join the team Checkout. */
  guests: string[];
  /** The URL of the portal's pages, without a trailing slash. */
  appUrl: string;
  spaceMetrics: ExperienceTarget;
  /** Undefined if not configured. */
  showcase: Showcase | undefined;
}

/** @param isProduction - whether `NODE_ENV` is `production`. */
export function readDemoConfig(
  config: Config,
  { isProduction }: { isProduction: boolean },
): DemoConfig {
  const endpoints =
    config.getOptional<Record<string, { target?: string }>>(
      'proxy.endpoints',
    ) ?? {};
  const isAllowed = config.getOptionalBoolean('demo.production') ?? false;
  return {
    refusal: isProduction && !isAllowed ? REFUSAL : undefined,
    guests: config.getOptionalStringArray('demo.guests') ?? [],
    spaceMetrics: {
      url: withoutSlash(
        endpoints['/space-metrics']?.target ?? 'http://localhost:8000',
      ),
      apiKey: config.getOptionalString('demo.spaceMetrics.apiKey'),
    },
    showcase: config.has('demo.showcase')
      ? {
          devfileUrl: config.getString('demo.showcase.devfileUrl'),
          commit: config.getString('demo.showcase.commit'),
        }
      : undefined,
    appUrl: withoutSlash(config.getString('app.baseUrl')),
  };
}

function withoutSlash(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}
