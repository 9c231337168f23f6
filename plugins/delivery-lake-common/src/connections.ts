/** The forges whose webhooks the lake receives. */
export type Forge = 'github' | 'gitlab' | 'gitea' | 'forgejo';

/**
 * The systems that admins can connect: forges, by repository, and incident trackers, by account.
 */
export type Sender = Forge | 'pagerduty' | 'jira';

/** Senders that create the secrets of their webhooks, so that admins have to enter them. */
export type SecretCreator = 'pagerduty';

/** Returns whether a sender creates the secrets of its webhooks. */
export function createsSecret(sender: Sender): sender is SecretCreator {
  return sender === 'pagerduty';
}

/** A repository or account whose webhook reports to the lake. Times are in ISO 8601. */
export interface ConnectionResponse {
  id: string;
  forge: Sender;
  /** `owner/name`, or the host of an account of PagerDuty or a site of Jira. */
  repository: string;
  /** true until an admin has entered the secret that PagerDuty created. */
  needsSecret?: boolean;
  /** An entity reference, or the subject of a service. */
  createdBy: string;
  createdAt: string;
  /** The URL to which the webhook must send. */
  webhookUrl: string;
  /** The last delivery with a valid signature. */
  lastDelivery: {
    at: string;
    /** The sender's name of the event, such as `push`. */
    event: string;
    /** Number of events that the lake accepted. */
    accepted: number;
    /** Reason why the lake ignored the delivery; null if it did not. */
    ignored: string | null;
  } | null;
  /** Time at which a delivery was last rejected because of its signature. */
  lastRefusedAt: string | null;
}

/** A new connection, or one with a new secret, which is only shown once. */
export interface ConnectionWithSecret extends ConnectionResponse {
  forge: Exclude<Sender, SecretCreator>;
  secret: string;
}

/** A new connection whose sender creates the secret. */
export interface ConnectionWithoutSecret extends ConnectionResponse {
  forge: SecretCreator;
  secret?: undefined;
}

/** Response of `POST /connections`. */
export type CreatedConnectionResponse =
  ConnectionWithSecret | ConnectionWithoutSecret;

/** Response of `GET /connections`. */
export interface ConnectionsResponse {
  connections: ConnectionResponse[];
}
