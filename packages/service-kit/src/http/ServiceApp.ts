import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Access, Caller } from '../auth/Access.ts';
import type { FaultKind } from '../errors/ServiceError.ts';

/** Fastify with handlers typed by the TypeBox schemas of their routes. */
export type ServiceApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** How much of a request body is read, unpacked and parsed, at most. */
export interface BodyBounds {
  /** Bytes of a body that is packed with gzip. */
  packed: number;
  /** Bytes of a body that is not packed, and of what a packed one becomes. */
  unpacked: number;
  /** Members of objects and elements of arrays in JSON. */
  elements: number;
}

/** The `config.body` of a route. */
interface BodyOptions {
  /**
   * How much of a body is taken from callers without a credential; the `bodyLimit` of the
   * route is for those who are known. 64 KiB packed, 1 MiB unpacked and an element for
   * every 8 bytes of that, where it is left out.
   */
  untrusted?: Partial<BodyBounds>;
  /**
   * Knows the sender by the start of the unpacked body, for credentials that are within
   * it; asked once, before the rest is unpacked, where the parser is `acceptJson` with
   * `gzip`. What it throws is the answer.
   *
   * @returns whether the sender is known: the body may then be as large as `bodyLimit`.
   */
  recognize?: (request: FastifyRequest, start: string) => Promise<boolean>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access rule, which every route of a service has. */
    access?: Access;
    /**
     * `false`: the route does not count, or counts by itself with `limits.consume`.
     * `refusals`: its handler looks at the credential, e.g. a signature of the body, and
     * the 401 that it throws alone counts, against the address.
     */
    limit?: false | 'refusals';
    /** How much of a body is read before its sender is known. */
    body?: BodyOptions;
    /**
     * Lets pages of any origin send and read: for routes of SDKs whose credential is public,
     * and which take none that browsers send by themselves.
     */
    cors?: 'any';
    /**
     * How its handler may say no beside what the kit does by itself (400, 401, 403, 404
     * of what its path names, 413, 429): for the description of the interface.
     */
    faults?: readonly FaultKind[];
    /** Marks a route of the kit itself, which answers under load too and is not logged. */
    operational?: boolean;
  }

  interface FastifyRequest {
    /** The caller, as far as the route takes credentials. */
    caller: Caller;
    /** True once `config.body.recognize` knew the sender by the start of the body. */
    isSenderKnown: boolean;
    /** How many bytes of a body of JSON came, packed or not. */
    receivedBytes: number;
    /** True once the answer was sent, whatever is still to come of the body. */
    isAnswered: boolean;
    /** True once the body was seen to hold no text that a database refuses. */
    hasStorableTexts: boolean;
  }
}
