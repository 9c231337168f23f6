/** What the catalog says of a user. */
export interface Profile {
  readonly name: string;
  readonly email: string | null;
}

/** Looks users up. */
export interface Profiles {
  /** Never fails: without an answer somebody is called by the reference. */
  of(entityRef: string): Promise<Profile>;
}

/** `ada` of `user:default/ada`. */
export function nameOfReference(entityRef: string): string {
  return entityRef.split('/').pop() ?? entityRef;
}
