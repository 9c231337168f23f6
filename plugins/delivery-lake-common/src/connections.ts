/** The forges whose webhooks the lake receives. */
export type Forge = 'github' | 'gitlab' | 'gitea' | 'forgejo';

/** A repository whose webhook reports to the lake. Times are in ISO 8601. */
export interface ConnectionResponse {
  id: string;
  forge: Forge;
  /** `owner/name`. */
  repository: string;
  /** An entity reference, or the subject of a service. */
  createdBy: string;
  createdAt: string;
  /** The address for the forge's webhook. */
  webhookUrl: string;
  /** The last delivery with a valid signature. */
  lastDelivery: {
    at: string;
    /** The forge's name of the event, such as `push`. */
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
export interface CreatedConnectionResponse extends ConnectionResponse {
  secret: string;
}

/** Response of `GET /connections`. */
export interface ConnectionsResponse {
  connections: ConnectionResponse[];
}
