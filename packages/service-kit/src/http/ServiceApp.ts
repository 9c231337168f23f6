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

/** A Fastify instance that types handlers by the TypeBox schemas of their routes. */
export type ServiceApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Limits on how much of a request body is read, unpacked and parsed. */
export interface BodyBounds {
  /** Maximum bytes of a gzipped body. */
  packed: number;
  /** Maximum bytes of an uncompressed body, or of a gzipped one after unpacking. */
  unpacked: number;
  /** Maximum number of object members and array elements in JSON. */
  elements: number;
}

/** The `config.body` of a route. */
interface BodyOptions {
  /**
   * Limits for callers without a valid credential; the route's `bodyLimit` applies to the others.
   * Defaults to 64 KiB packed, 1 MiB unpacked and one element per 8 unpacked bytes.
   */
  untrusted?: Partial<BodyBounds>;
  /**
   * Recognizes the sender by the start of the unpacked body, for credentials inside the body.
   * Called once before the rest is unpacked, if the parser is `acceptJson` with `gzip`. An error it
   * throws becomes the response.
   *
   * @returns whether the sender is known, in which case the body may be as large as `bodyLimit`.
   */
  recognize?: (request: FastifyRequest, start: string) => Promise<boolean>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access rule; required for every route of a service. */
    access?: Access;
    /**
     * `false`: requests are not counted, or the handler counts them with `limits.consume`.
     * `refusals`: the handler checks the credential itself, e.g. a signature of the body, and only
     * the 401s that it throws count, against the caller's address.
     */
    limit?: false | 'refusals';
    /** Limits for a body that is read before its sender is known. */
    body?: BodyOptions;
    /**
     * Allows pages of any origin to send requests and read responses. Only for SDK routes that use
     * public credentials and accept none that browsers send automatically.
     */
    cors?: 'any';
    /**
     * Errors the handler may return in addition to those of the kit (400, 401, 403, 404 for path
     * parameters, 413, 429); documented in OpenAPI.
     */
    faults?: readonly FaultKind[];
    /** Records requests of the route in the audit log even though it is not only for admins. */
    audited?: true;
    /** Marks a route of the kit itself, which responds even under load and is not logged. */
    operational?: boolean;
    /**
     * Marks a route that programs poll or send events to, with a credential that browsers do not
     * send automatically. Its requests appear in the metrics, but are logged only if they fail or
     * are slow, and its responses have no headers that control how browsers display them.
     */
    forMachines?: boolean;
  }

  interface FastifyRequest {
    /** The caller, according to the credentials that the route accepts. */
    caller: Caller;
    /** True once `config.body.recognize` recognized the sender by the start of the body. */
    isSenderKnown: boolean;
    /** Bytes received of a JSON body, before unpacking. */
    receivedBytes: number;
    /** `routeOptions.config`, read once: each access to `routeOptions` creates an object. */
    routeConfig: FastifyContextConfig & { url?: string };
    /** True once the body was checked not to contain strings that a database rejects. */
    hasStorableTexts: boolean;
  }
}
