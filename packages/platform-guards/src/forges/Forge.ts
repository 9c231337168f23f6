/** Forges whose webhooks are understood. */
export const FORGES = ['github', 'gitlab', 'gitea', 'forgejo'] as const;
export type Forge = (typeof FORGES)[number];

/** A header by its name in lower case. An empty one is as good as none: Gitea sends its signature empty where there is no secret. */
export type HeaderOf = (name: string) => string | undefined;
