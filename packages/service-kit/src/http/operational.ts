/** The `config` of routes for operators: open, not counted, not logged. */
export const operational = {
  access: { ways: [], optional: true },
  limit: false,
  operational: true,
  otel: false,
} as const;
