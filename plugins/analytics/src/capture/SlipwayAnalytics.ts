import type {
  AnalyticsEvent,
  AnalyticsImplementation,
  ConfigApi,
  IdentityApi,
} from '@backstage/frontend-plugin-api';
import { EventSender } from './EventSender';
import { hashOf } from './hashOf';

interface Sender {
  add(event: {
    event: string;
    distinct_id: string;
    properties: Record<string, unknown>;
  }): void;
}

/**
 * Tells the analytics service how the portal is used: pages viewed, links clicked. It
 * says who by a hash and nothing else, leaves out what stands behind `?` and `#`, and
 * says nothing of people who ask their browser not to be tracked.
 */
export class SlipwayAnalytics implements AnalyticsImplementation {
  readonly #sender: Sender | undefined;
  readonly #identityApi: IdentityApi;

  constructor(options: {
    sender: Sender | undefined;
    identityApi: IdentityApi;
  }) {
    this.#sender = options.sender;
    this.#identityApi = options.identityApi;
  }

  static fromConfig(options: {
    configApi: ConfigApi;
    identityApi: IdentityApi;
  }): SlipwayAnalytics {
    const { configApi, identityApi } = options;
    const section = configApi.getOptionalConfig('app.analytics.slipway');
    const isOn =
      section !== undefined &&
      section.getOptionalBoolean('enabled') !== false &&
      !asksNotToBeTracked();
    return new SlipwayAnalytics({
      identityApi,
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
      const { userEntityRef } = await this.#identityApi.getBackstageIdentity();
      sender.add({
        event: isView ? '$pageview' : action,
        distinct_id: await hashOf(userEntityRef),
        properties: {
          $pathname: path,
          $host: window.location.host,
          $lib: 'slipway-portal',
          plugin: context.pluginId,
          ...(!isView && { subject: withoutQuery(subject) }),
          ...(value !== undefined && { value }),
          ...(isView ? {} : attributes),
        },
      });
    } catch {
      // Nobody is signed in: there is nobody to count.
    }
  }
}

function pathOf(subject: string): string {
  return new URL(subject, window.location.origin).pathname;
}

/** What people search for is theirs. */
function withoutQuery(subject: string): string {
  return subject.split(/[?#]/, 1)[0];
}

function asksNotToBeTracked(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
