import { type Static, Type } from 'typebox';

const SqliteConfig = Type.Object({
  client: Type.Literal('better-sqlite3'),
  connection: Type.Object({
    /** Relative to the repository; `:memory:` for a test. */
    filename: Type.String({ minLength: 1 }),
  }),
});

const PostgresConfig = Type.Object({
  client: Type.Literal('pg'),
  /** A connection string or the options of node-postgres. */
  connection: Type.Union([
    Type.String({ minLength: 1 }),
    Type.Object({
      host: Type.Optional(Type.String()),
      port: Type.Optional(Type.Integer()),
      user: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
      database: Type.Optional(Type.String()),
      ssl: Type.Optional(Type.Unknown()),
    }),
  ]),
  /** Connections at most; default 10. */
  poolSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});

/** The `database` part of a service's configuration. */
export const DatabaseConfig = Type.Union([SqliteConfig, PostgresConfig]);
export type DatabaseConfig = Static<typeof DatabaseConfig>;
