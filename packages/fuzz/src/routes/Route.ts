/** The parts of JSON Schema that are used to generate values. */
export interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

/** A parameter of a route outside its body. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  schema: Schema;
}

/** A method of a path in the OpenAPI description. */
export interface Route {
  method: string;
  /** Path with the names of parameters in braces. */
  path: string;
  parameters: readonly Parameter[];
  /** The schemas of the body by content type; empty if no body is expected. */
  bodies: Readonly<Record<string, Schema>>;
  /** The statuses listed in the description. */
  statuses: ReadonlySet<number>;
}

/** Formats a route's name as in the command line and in failures. */
export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
