/** JSON Schema as far as values are made of it. */
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

/** A value that a route takes outside its body. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  schema: Schema;
}

/** A method of a path, as the description has it. */
export interface Route {
  method: string;
  /** With the names of parameters in braces. */
  path: string;
  parameters: readonly Parameter[];
  /** The schemas of the body by content type; empty where no body is due. */
  bodies: Readonly<Record<string, Schema>>;
  /** The statuses that the description names. */
  statuses: ReadonlySet<number>;
}

/** Names a route as the command line and failures do. */
export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
