import { UnleashWebProvider } from '@openfeature/unleash-web-provider';
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
import type { Service } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  FlagProvider,
  useFlag,
  useFlagsStatus,
  useUnleashContext,
  useVariant,
} from '@unleash/proxy-client-react';
import { JSDOM } from 'jsdom';
// Only for this test: the service has no pages.
// eslint-disable-next-line @backstage/no-undeclared-imports
import { createElement } from 'react';
import { InMemoryStorageProvider } from 'unleash-proxy-client';
import {
  callsTo,
  FRONTEND_TOKEN,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

/** Runs unmodified SDKs for browsers against the frontend API. */
describe('SDKs for pages', () => {
  let service: Service;
  let calls: ReturnType<typeof callsTo>;
  let dispose: () => Promise<void>;
  let config: ReturnType<typeof configFor>;

  const configFor = (url: string) => ({
    url: `${url}/api/frontend`,
    clientKey: FRONTEND_TOKEN,
    appName: 'page',
    refreshInterval: 0.1,
    metricsInterval: 0.2,
    metricsIntervalInitial: 0.1,
    storageProvider: new InMemoryStorageProvider(),
    fetch,
  });

  beforeAll(async () => {
    // Only the globals that React needs: with all those of jsdom, the service does not start.
    const { window } = new JSDOM();
    vi.stubGlobal('window', Object.assign(window, { AbortController }));
    vi.stubGlobal('document', window.document);
    const test = await openTestDatabase('sqlite', featureFlags);
    dispose = test.dispose;
    service = await startFeatureFlags({ database: test.database });
    config = configFor(await service.start());
    calls = callsTo(service);
    await calls.create('greeting', {
      enabled: true,
      strategies: [
        {
          name: 'default',
          constraints: [
            { contextName: 'userId', operator: 'IN', values: ['ada'] },
          ],
        },
      ],
      variants: [
        {
          name: 'warm',
          weight: 1000,
          payload: { type: 'json', value: '{"text":"Hello"}' },
        },
      ],
    });
    await calls.create('limit', {
      enabled: true,
      variants: [
        { name: 'ten', weight: 1000, payload: { type: 'number', value: '10' } },
      ],
    });
    await calls.create('simple', { enabled: true });
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
    vi.unstubAllGlobals();
  });

  /** Reads how often a flag was on and off in the last hour. */
  const usageOf = async (flag: string) => {
    const { body } = await calls.admin('GET', `/metrics/features/${flag}`);
    return body.lastHourUsage as { yes: number; no: number };
  };

  it('@unleash/proxy-client-react renders flags and variants, and renders again when they change', async () => {
    function Page() {
      const { flagsReady } = useFlagsStatus();
      const isOn = useFlag('greeting');
      const { name, payload } = useVariant('greeting');
      const updateContext = useUnleashContext();
      return createElement(
        'button',
        { onClick: () => updateContext({ userId: 'grace' }) },
        flagsReady ? `${isOn} ${name} ${payload?.value ?? ''}` : 'loading',
      );
    }
    const place = document.body.appendChild(document.createElement('div'));
    // eslint-disable-next-line @backstage/no-undeclared-imports
    const { createRoot } = await import('react-dom/client');
    const root = createRoot(place);
    root.render(
      createElement(
        FlagProvider,
        { config: { ...config, context: { userId: 'ada' } } },
        createElement(Page),
      ),
    );
    const shown = (text: RegExp) =>
      vi.waitFor(() => expect(place.textContent).toMatch(text));
    await shown(/^true warm \{"text":"Hello"\}$/);
    await calls.admin('POST', '/features/greeting/toggle/off');
    await shown(/^false disabled $/);
    await calls.admin('POST', '/features/greeting/toggle/on');
    await shown(/^true warm/);
    place.querySelector('button')?.click();
    await shown(/^false disabled $/);
    await vi.waitFor(async () => {
      const { yes, no } = await usageOf('greeting');
      expect(Math.min(yes, no)).toBeGreaterThan(0);
    });
    root.unmount();
  });

  it('@openfeature/unleash-web-provider answers values of each type, and tells of changes', async () => {
    await OpenFeature.setProviderAndWait(
      new UnleashWebProvider({ ...config, context: { userId: 'ada' } }),
      { userId: 'ada' },
    );
    const client = OpenFeature.getClient();
    expect(client.getBooleanValue('simple', false)).toBe(true);
    expect(client.getNumberValue('limit', 1)).toBe(10);
    expect(client.getObjectDetails('greeting', {})).toMatchObject({
      // This provider returns objects as the JSON text that it received.
      value: '{"text":"Hello"}',
      variant: 'warm',
    });

    await OpenFeature.setContext({ userId: 'grace' });
    await vi.waitUntil(() => !client.getBooleanValue('greeting', true));

    const changed = new Promise(resolve => {
      client.addHandler(ProviderEvents.ConfigurationChanged, resolve);
    });
    await calls.admin('POST', '/features/simple/toggle/off');
    await changed;
    await vi.waitUntil(() => !client.getBooleanValue('simple', false));
    await vi.waitUntil(async () => (await usageOf('limit')).yes > 0);
    await OpenFeature.close();
  });
});
