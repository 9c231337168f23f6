import type {
  AnalyticsEvent,
  AnalyticsImplementation,
  ConfigApi,
  DiscoveryApi,
  FetchApi,
} from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import { EventSender } from './EventSender';

interface Sender {
  add(event: {
    event: string;
    distinct_id: string;
    properties: Record<string, unknown>;
  }): void;
}

/**
 * Reports the use of the portal to the analytics service: viewed pages and clicked links.
 * Identifies users by the service's pseudonym, removes query strings and fragments from
 * addresses, and reports nothing for users whose browser asks not to be tracked.
 */
export class SlipwayAnalytics implements AnalyticsImplementation {
  readonly #sender: Sender | undefined;
  readonly #askPseudonym: () => Promise<string>;
  #pseudonym: Promise<string> | undefined;

  /**
   * @param options.askPseudonym - resolves with the user's pseudonym; rejects if no user is
   *   signed in, or the service does not respond.
   */
  constructor(options: {
    sender: Sender | undefined;
    askPseudonym: () => Promise<string>;
  }) {
    this.#sender = options.sender;
    this.#askPseudonym = options.askPseudonym;
  }

  static fromConfig(options: {
    configApi: ConfigApi;
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
  }): SlipwayAnalytics {
    const { configApi, ...apis } = options;
    const section = configApi.getOptionalConfig('app.analytics.slipway');
    const isOn =
      section !== undefined &&
      section.getOptionalBoolean('enabled') !== false &&
      !asksNotToBeTracked();
    const service = new ServiceClient({ ...apis, path: '/analytics/api' });
    return new SlipwayAnalytics({
      askPseudonym: async () => {
        const answer = await service.json<{ distinct_id: string }>(
          '/pseudonym',
        );
        return answer.distinct_id;
      },
      sender: isOn
        ? new EventSender({
            host: section.getString('host'),
            projectKey: section.getString('projectKey'),
          })
        : undefined,
    });
  }

  captureEvent(event: AnalyticsEvent): void {
    if (this.#sender) {
      void this.#capture(event, this.#sender);
    }
  }

  async #capture(event: AnalyticsEvent, sender: Sender): Promise<void> {
    const { action, subject, value, attributes, context } = event;
    const isView = action === 'navigate';
    const path = isView ? pathOf(subject) : window.location.pathname;
    try {
      const distinctId = await this.#ownPseudonym();
      sender.add({
        event: isView ? '$pageview' : action,
        distinct_id: distinctId,
        properties: {
          $pathname: path,
          $host: window.location.host,
          $lib: 'slipway-portal',
          plugin: context.pluginId,
          ...(!isView && { subject: withoutQuery(subject) }),
          ...(value !== undefined && { value }),
          ...(!isView && withoutQueries(attributes)),
        },
      });
    } catch {
      // Nobody is signed in, or the service is not available.
    }
  }

  /** Requests the pseudonym once; after a failure, the next event requests it again. */
  #ownPseudonym(): Promise<string> {
    this.#pseudonym ??= this.#askPseudonym().catch((error: unknown) => {
      this.#pseudonym = undefined;
      throw error;
    });
    return this.#pseudonym;
  }
}

function pathOf(subject: string): string {
  return new URL(subject, window.location.origin).pathname;
}

/** Removes the query string and fragment from an address, as search terms are private. */
function withoutQuery(subject: string): string {
  return subject.split(/[?#]/, 1)[0];
}

/** Removes the query string from the target of a clicked link, too. */
function withoutQueries(
  attributes: AnalyticsEvent['attributes'] = {},
): AnalyticsEvent['attributes'] {
  const { to } = attributes;
  return typeof to === 'string'
    ? { ...attributes, to: withoutQuery(to) }
    : attributes;
}

function asksNotToBeTracked(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
